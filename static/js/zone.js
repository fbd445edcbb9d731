// The page of times knows no zone but the practice's until it is told. The device
// knows one: where nobody has chosen yet, its times are shown at once. What was typed
// before this ran is not lost: then the zone is only chosen in the list, which opens.
(() => {
  const once = Symbol.for('steadier.zone');
  if (document[once]) return;
  document[once] = true;

  const guess = () => {
    const list = document.querySelector('select[data-zone="ours"]');
    if (!list) return;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const known = Array.from(list.options).some((option) => option.value === timeZone);
    if (!known || timeZone === list.value) return;
    const typed = Array.from(list.form.elements).some((field) => field.localName === 'input' && field.type !== 'hidden'
      && (field.type === 'radio' || field.type === 'checkbox' ? field.checked !== field.defaultChecked : field.value !== field.defaultValue));
    list.value = timeZone;
    if (typed) list.closest('details').open = true;
    else location.replace('?zone=' + encodeURIComponent(timeZone));
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', guess);
  else guess();
})();
