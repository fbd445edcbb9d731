// A tap on a citation opens its entry of the list of sources below the paragraph, so
// that nobody loses the place: what the study found, its limits, and what kind it is.
// Without script, or without popovers, the link leads to the list.
(() => {
  const once = Symbol.for('steadier.notes');
  if (document[once] || !('popover' in HTMLElement.prototype)) return;
  document[once] = true;
  let note = null;
  let opener = null;

  const close = () => {
    if (!note) return;
    const gone = note;
    note = null; // first: removing an open popover tells of its closing
    const inside = gone.contains(document.activeElement) || document.activeElement === document.body;
    gone.remove();
    if (opener) opener.removeAttribute('aria-expanded');
    if (opener && inside) opener.focus();
  };

  const button = (words, press) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.className = 'plain';
    made.textContent = words;
    made.addEventListener('click', press);
    return made;
  };

  // The entry is copied node by node, without its ids and its ways back.
  const fill = (entry, link) => {
    const box = document.createElement('div');
    box.className = 'source-note';
    box.popover = 'auto';
    box.tabIndex = -1;
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', link.getAttribute('aria-label') || link.textContent);
    for (const part of entry.childNodes) box.append(part.cloneNode(true));
    for (const part of box.querySelectorAll('.back, [id]')) {
      if (part.matches('.back')) part.remove();
      else part.removeAttribute('id');
    }
    const row = document.createElement('p');
    row.className = 'row';
    const list = document.createElement('a');
    list.href = link.hash;
    list.textContent = 'In the list';
    list.addEventListener('click', () => setTimeout(close));
    row.append(button('Close', close), list);
    box.append(row);
    return box;
  };

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a.cite[href^="#"]');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const entry = document.getElementById(link.hash.slice(1));
    const block = link.closest('p, li, dd, td, blockquote, h2, h3') || link;
    if (!entry || block === link) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const same = note && opener === link;
    close();
    if (same) return;
    opener = link;
    note = fill(entry, link);
    // No block may stand in a paragraph; in a list or a cell it may, at its end.
    if (block.localName === 'p') block.after(note);
    else block.append(note);
    note.addEventListener('toggle', (change) => { if (change.newState === 'closed') close(); });
    note.showPopover();
    link.setAttribute('aria-expanded', 'true');
    note.scrollIntoView({ block: 'nearest' });
    note.focus({ preventScroll: true });
  }, true);
})();
