// Asks the browser for a passkey, or to make one, and sends its answer with the form.
// Loaded on the owner's way in alone; without it a name and a password do.
(() => {
  const bytes = (text) => {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(plain, (c) => c.charCodeAt(0));
  };
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

  const decoded = (options) => {
    const o = { ...options, challenge: bytes(options.challenge) };
    if (o.user) o.user = { ...o.user, id: bytes(o.user.id) };
    for (const list of ['allowCredentials', 'excludeCredentials']) {
      if (o[list]) o[list] = o[list].map((c) => ({ ...c, id: bytes(c.id) }));
    }
    return o;
  };

  // What toJSON gives in newer browsers; some password managers break that one.
  const encoded = (c) => {
    const r = c.response;
    const response = { clientDataJSON: text(r.clientDataJSON) };
    for (const name of ['attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
      if (r[name]) response[name] = text(r[name]);
    }
    if (r.getTransports) response.transports = r.getTransports();
    return {
      id: c.id, rawId: text(c.rawId), type: c.type, response,
      clientExtensionResults: c.getClientExtensionResults(),
      authenticatorAttachment: c.authenticatorAttachment || undefined,
    };
  };

  const say = (form, words) => {
    const status = form.querySelector('[data-passkey-status]');
    if (status) status.textContent = words;
  };

  const ask = async (button) => {
    const { form, dataset } = button;
    say(form, 'Your device asks you now.');
    const answer = await fetch(dataset.options, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    if (answer.redirected) {
      location.assign(answer.url);
      return;
    }
    if (answer.status === 422) {
      form.requestSubmit(); // the page says what is missing
      return;
    }
    if (!answer.ok) throw new Error('status ' + answer.status);
    const publicKey = decoded(await answer.json());
    const made = await navigator.credentials[dataset.passkey]({ publicKey });
    form.elements.credential.value = JSON.stringify(encoded(made));
    const how = document.createElement('input');
    how.type = 'hidden';
    how.name = 'do';
    how.value = 'passkey';
    form.append(how);
    form.submit();
  };

  const begin = () => {
    if (!window.PublicKeyCredential) return;
    for (const part of document.querySelectorAll('[data-with-passkeys]')) part.hidden = false;
    for (const button of document.querySelectorAll('[data-passkey]')) {
      say(button.form, '');
      button.addEventListener('click', (event) => {
        event.preventDefault();
        button.disabled = true;
        ask(button).catch(() => {
          button.disabled = false;
          say(button.form, 'That did not work, or it was stopped. You can try again.');
        });
      });
    }
  };
  begin();
})();
