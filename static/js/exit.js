// Leaving at once. Rules E1 to E39 of the site's safety page; the numbers stand below.
//
// Everything hangs on the document, in the capture phase, and touches nothing that
// other code might have broken: so it works while the page is still arriving, and
// whatever happens beside it (E16).
(() => {
  const once = Symbol.for('steadier.exit');
  if (document[once]) return; // loaded twice, bound once (E16)
  document[once] = true;

  const root = document.documentElement;
  const pause = 5000; // between two presses of Shift, at most (E12)
  const patience = 4000; // before a link is offered (E22)
  let cover = null;
  let title = '';
  let left = false;

  // Text that was typed is taken out, also what the server wrote back into a field,
  // and so are choices; the hidden fields stay, so that the form still works (E18, E30).
  const empty = () => {
    for (const form of document.forms) {
      form.reset();
      for (const field of form.elements) {
        if (field.type === 'radio' || field.type === 'checkbox') field.checked &&= field.name !== 'slot' && field.defaultChecked && !form.dataset.typed;
        else if (field.localName === 'input' && !['hidden', 'submit'].includes(field.type)) field.value = '';
      }
    }
  };

  // What is hidden, is hidden in the task of the press (E18). The style sheet does it:
  // the class takes everything but the cover out of the page and of the
  // accessibility tree, and the cover has the system's own colours (E19).
  const hide = () => {
    if (cover) return;
    title = document.title;
    cover = document.createElement('div');
    cover.className = 'cover';
    cover.setAttribute('role', 'alert');
    cover.textContent = 'Loading.';
    root.classList.add('left');
    (document.body || root).append(cover);
    document.title = 'Loading';
    say('');
    empty();
    setTimeout(offer, patience);
  };

  // The target does not come: one plain link, and never the page again (E22).
  const offer = () => {
    if (!cover) return;
    const link = document.createElement('a');
    link.href = address();
    link.rel = 'noreferrer';
    link.textContent = 'Continue';
    cover.replaceChildren(link);
  };

  const address = () => document.querySelector('a[data-exit], a[data-leave]').href;

  // One entry of the history is replaced, none is added (E24, E28); nobody is told (E20).
  const leave = () => {
    if (left) return; // a double tap asks once (E17)
    left = true;
    const target = address();
    hide();
    location.replace(target);
  };

  const isExit = (node) => node.nodeType === 1 && (node.hasAttribute('data-exit') || node.hasAttribute('data-leave'));

  const pressed = (event) => {
    const path = event.composedPath();
    if (cover && path.includes(cover)) {
      if (event.type === 'click' && path.some((node) => node.localName === 'a')) {
        event.preventDefault();
        location.replace(address());
      }
      return;
    }
    if (!path.some(isExit)) return;
    // A press that opens another tab does so, and hides this one all the same (E15).
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
      if (event.button !== 2) hide();
      return;
    }
    event.preventDefault();
    leave();
  };
  addEventListener('click', pressed, true);
  addEventListener('auxclick', pressed, true);

  // Shift, three times. A press counts when it ends and nothing else was pressed
  // meanwhile, so capitals and shortcuts never do (E12). It has to be a real key: an
  // on-screen keyboard sends no code, and on a phone none counts in a field (E13).
  let presses = 0;
  let last = 0;
  let down = false;
  let status = null;
  const again = () => { presses = 0; down = false; say(''); };
  const typing = () => {
    const at = document.activeElement;
    return matchMedia('(pointer: coarse)').matches && !!at
      && (at.isContentEditable || ['input', 'textarea', 'select'].includes(at.localName));
  };
  const counts = (event) => event.key === 'Shift' && /^Shift(Left|Right)$/.test(event.code)
    && !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing && !typing();

  addEventListener('keydown', (event) => {
    if (event.repeat && down) return;
    if (!counts(event)) again();
    else down = true;
  }, true);
  addEventListener('keyup', (event) => {
    if (!down || event.key !== 'Shift') return;
    down = false;
    const now = performance.now();
    if (now - last > pause) presses = 0;
    last = now;
    presses += 1;
    if (presses === 3) leave();
    else say(presses === 1 ? 'Press Shift twice more to leave.' : 'Once more to leave.');
  }, true);
  addEventListener('pointerdown', again, true);

  // Two polite messages, after the first press and not before (E10). The region has to
  // stand in the page before it speaks.
  const say = (text) => {
    if (!status && document.body) {
      status = document.createElement('div');
      status.className = 'unseen';
      status.setAttribute('role', 'status');
      document.body.append(status);
    }
    if (status && status.textContent !== text) status.textContent = text;
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => say(''));
  else say('');

  // A page that the browser kept whole is usable again (E26); one with free times is
  // loaded anew, for they may be taken by now.
  const main = () => document.getElementById('main') || root;
  addEventListener('pagehide', () => {
    again();
    empty();
    if ('once' in main().dataset) main().replaceChildren(); // it shall not come back (E27)
  });
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    if (cover) {
      cover.remove();
      root.classList.remove('left');
      document.title = title;
    }
    cover = null;
    left = false;
    again();
    empty();
    if (main().dataset.again) location.replace(main().dataset.again);
  });
})();
