// A confidential User Client and a System Client written with simple-oauth2, unmodified.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { Person } from '../../world/person.mjs';
import { Service } from '../../world/service.mjs';
import { ORGANISATION, client } from '../../world/world.mjs';

const REDIRECT = 'http://127.0.0.1:49163/callback';

let service;
before(async () => { service = await Service.start(); });
after(() => service?.stop());

function settings(clientId, authorizationMethod = 'header', secret = client(clientId).secret) {
  return {
    client: { id: clientId, secret },
    auth: { tokenHost: service.base, tokenPath: '/apiToken.action' },
    options: { authorizationMethod },
  };
}

const said = (error, status) => (refusal) => refusal.output?.statusCode === status && refusal.data?.payload?.error === error;

/** What it takes to redeem the code that Amina approved. */
async function approved(app) {
  const verifier = randomBytes(32).toString('base64url');
  const url = app.authorizeURL({
    redirect_uri: REDIRECT, scope: 'PATIENT', state: 'abc',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256',
  });
  const landed = await new Person(service.base, 'amina').decides(url);
  return { code: landed.searchParams.get('code'), redirect_uri: REDIRECT, code_verifier: verifier };
}

function call(token, path, headers = {}) {
  return fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${token.token.access_token}`, ...headers } });
}

for (const way of ['header', 'body']) {
  test(`with the secret in the ${way}: a code with PKCE, a refresh, and a replay that is invalid_grant`, async () => {
    const { auth, ...others } = settings('ward-board', way);
    const app = new AuthorizationCode({ ...others, auth: { ...auth, authorizePath: '/apiAuthorize.action' } });
    const first = await app.getToken(await approved(app));
    assert.equal(first.token.expires_in, 600);
    const second = await first.refresh();
    assert.notEqual(second.token.refresh_token, first.token.refresh_token);
    assert.equal((await call(second, '/json/users/self')).status, 200);
    await assert.rejects(first.refresh(), said('invalid_grant', 400));
    assert.equal((await call(second, '/json/users/self')).status, 401);
  });

  test(`client credentials with the secret in the ${way}, and a wrong one is invalid_client`, async () => {
    const token = await new ClientCredentials(settings('letter-sender', way)).getToken({});
    assert.equal(token.token.refresh_token, undefined);
    assert.equal((await call(token, '/fhir/Patient/amina-osei', { 'X-Org-Public-Id': ORGANISATION })).status, 200);
    const guess = new ClientCredentials(settings('letter-sender', way, 'not-the-secret'));
    await assert.rejects(guess.getToken({}), said('invalid_client', way === 'header' ? 401 : 400));
  });
}
