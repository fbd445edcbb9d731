// Links within the page leave no entry in the history: with one, Back after leaving
// would show the page again (E14). And after a form that was not accepted, the summary
// of what to put right gets the focus.
(() => {
  const once = Symbol.for('steadier.places');
  if (document[once]) return;
  document[once] = true;

  const focus = (element) => {
    if (!element.matches('a[href], button, input, select, textarea, summary, [tabindex]')) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const place = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!place) return;
    event.preventDefault();
    history.replaceState(history.state, '', link.hash);
    place.scrollIntoView();
    focus(place);
  });

  const ready = () => {
    const summary = document.querySelector('[data-summary]');
    if (summary) focus(summary);
    if (summary && !location.hash) summary.scrollIntoView();
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', ready);
  else ready();
})();
