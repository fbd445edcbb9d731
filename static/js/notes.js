// A tap on a citation opens its entry of the list of sources below the paragraph, so
// that nobody loses the place: what the study found, its limits, and what kind it is.
// A tap on a term of the glossary opens its definition in the same way. Without script
// the link leads to the list. It stands in the flow of the text and not over it: what is
// read next is never covered.
(() => {
  const once = Symbol.for('steadier.notes');
  if (document[once]) return;
  document[once] = true;
  let note = null;
  let opener = null;

  const close = () => {
    if (!note) return;
    const inside = note.contains(document.activeElement) || document.activeElement === document.body;
    note.remove();
    note = null;
    opener.setAttribute('aria-expanded', 'false');
    if (inside) opener.focus();
  };

  // The entry is copied node by node, without its ids and its ways back.
  const fill = (entry, link, term) => {
    const box = document.createElement('div');
    box.className = 'source-note';
    box.tabIndex = -1;
    box.setAttribute('role', 'note');
    box.setAttribute('aria-label', link.getAttribute('aria-label') || link.textContent);
    if (term) {
      const name = document.createElement('p');
      name.className = 'label';
      name.textContent = entry.previousElementSibling.textContent;
      box.append(name);
    }
    for (const part of entry.childNodes) box.append(part.cloneNode(true));
    for (const part of box.querySelectorAll('.back, [id]')) {
      if (part.matches('.back')) part.remove();
      else part.removeAttribute('id');
    }
    const row = document.createElement('p');
    row.className = 'ways';
    const shut = document.createElement('button');
    shut.type = 'button';
    shut.className = 'plain';
    shut.textContent = 'Close';
    shut.addEventListener('click', close);
    const list = document.createElement('a');
    list.href = link.getAttribute('href');
    list.textContent = term ? 'In the glossary' : 'In the list';
    list.addEventListener('click', () => setTimeout(close));
    row.append(shut, list);
    box.append(row);
    return box;
  };

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a.cite[href^="#"], a.term');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const term = link.matches('.term');
    const entry = document.getElementById((term ? 'term-' : '') + link.hash.slice(1));
    const block = link.closest('p, li, dd, td, blockquote, h2, h3');
    if (!entry || !block) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const same = note && opener === link;
    close();
    if (same) return;
    opener = link;
    note = fill(entry, link, term);
    // No block may stand in a paragraph; in a list or a cell it may, at its end.
    if (/^(p|h2|h3)$/.test(block.localName)) block.after(note);
    else block.append(note);
    link.setAttribute('aria-expanded', 'true');
    note.scrollIntoView({ block: 'nearest' });
    note.focus({ preventScroll: true });
  }, true);
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') close(); });
})();
