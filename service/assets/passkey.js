// Asks the browser to make a passkey or to show one, as the page says, and sends the page's form with the answer. The page shows nothing of
// it before this has run.
'use strict';

for (const block of document.querySelectorAll('[data-passkey]')) {
  if (window.PublicKeyCredential) offer(block);
}

function offer(block) {
  const button = block.querySelector('button');
  const note = block.querySelector('[role=status]');
  block.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    note.textContent = '';
    try {
      send(block.closest('form'), await answer(block.dataset.passkey, JSON.parse(block.dataset.options)));
    } catch (refused) {
      note.textContent = words(refused);
      button.disabled = false;
    }
  });
}

/** What the browser answers, with all bytes as text. */
async function answer(kind, publicKey) {
  publicKey.challenge = bytes(publicKey.challenge);
  if (publicKey.user) publicKey.user.id = bytes(publicKey.user.id);
  for (const known of [...publicKey.allowCredentials ?? [], ...publicKey.excludeCredentials ?? []]) known.id = bytes(known.id);
  const credential = await navigator.credentials[kind]({ publicKey });
  const said = credential.response;
  const response = { clientDataJSON: text(said.clientDataJSON) };
  if (kind === 'create') {
    response.attestationObject = text(said.attestationObject);
    response.transports = said.getTransports?.() ?? [];
  } else {
    response.authenticatorData = text(said.authenticatorData);
    response.signature = text(said.signature);
    if (said.userHandle) response.userHandle = text(said.userHandle);
  }
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response };
}

/** Sends the form by its own button, as if that had been pressed. */
function send(form, credential) {
  form.elements.answer.value = JSON.stringify(credential);
  form.noValidate = true;
  form.requestSubmit(form.querySelector('button:not([type=button])'));
}

function words(refused) {
  if (refused.name === 'InvalidStateError') return 'This device has a passkey for this account already.';
  return 'No passkey was shown. You can try again.';
}

function bytes(said) {
  return Uint8Array.from(atob(said.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
}

function text(buffer) {
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return plain.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
