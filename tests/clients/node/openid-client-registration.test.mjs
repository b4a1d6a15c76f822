// An app that nobody has registered: openid-client registers it with the token that an operator made (RFC 7591), and goes on with what it
// was given; its registration it reads and ends as RFC 7592 has it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as oauth from 'openid-client';
import { Person } from '../../world/person.mjs';
import { Service } from '../../world/service.mjs';
import { REDIRECT } from './apps.mjs';

const SCOPE = 'launch/patient openid offline_access patient/Patient.r';

let service;
let directory;
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'recordgate-test-'));
  const config = join(directory, 'recordgate.toml');
  writeFileSync(config, 'client_registration = true\n');
  service = await Service.start({ options: ['--config', config] });
});
after(async () => {
  await service?.stop();
  rmSync(directory, { recursive: true, force: true });
});

function invite(...words) {
  return JSON.parse(service.cli('client', 'invite', '--owner', 'Nightjar Health', '--json', ...words)).token;
}

/** The library's configuration for a client that it has registered. */
function register(initialAccessToken, metadata) {
  return oauth.dynamicClientRegistration(
    new URL(service.base),
    { client_name: 'Tide Table', redirect_uris: [REDIRECT], scope: SCOPE, ...metadata },
    undefined,
    { initialAccessToken, execute: [oauth.allowInsecureRequests] },
  );
}

/** The library's tokens for a request that `lands` leads back from. */
async function granted(app, parameters, lands) {
  const [verifier, state] = [oauth.randomPKCECodeVerifier(), oauth.randomState()];
  const url = oauth.buildAuthorizationUrl(app, {
    redirect_uri: REDIRECT, scope: SCOPE, state, aud: `${service.base}/fhir`,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256', ...parameters,
  });
  const landed = await lands(url.href);
  return oauth.authorizationCodeGrant(app, landed, { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true });
}

function approved(app) {
  return granted(app, {}, async (url) => {
    const person = new Person(service.base, 'amina');
    assert.match((await person.open(url)).text, /Not checked by the operator/);
    return person.decides(url);
  });
}

for (const method of ['none', 'client_secret_basic']) {
  test(`a client that registers itself for ${method} gets tokens as any other`, async () => {
    const app = await register(invite(), { token_endpoint_auth_method: method });
    const token = await approved(app);
    assert.equal(token.scope, SCOPE);
    assert.equal(token.claims().aud, app.clientMetadata().client_id);
    assert.ok((await oauth.refreshTokenGrant(app, token.refresh_token)).access_token);
  });
}

test('a token is good for one client, unless for more', async () => {
  const token = invite('--uses', '2');
  await register(token);
  await register(token);
  await assert.rejects(register(token), (error) => error.status === 401);
});

test('what is wrong with metadata is told by the codes of the RFC', async () => {
  const token = invite();
  await assert.rejects(register(token, { redirect_uris: ['http://tide.example/'] }), (error) => error.error === 'invalid_redirect_uri');
  await assert.rejects(register(token, { scope: 'PATIENT' }), (error) => error.error === 'invalid_client_metadata');
});

test('a registration is read and ended with its own token', async () => {
  const app = await register(invite(), { token_endpoint_auth_method: 'none' });
  const { registration_client_uri: address, registration_access_token: token, client_id: id } = app.clientMetadata();
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await (await fetch(address, { headers })).json()).client_id, id);
  const issued = await approved(app);
  assert.equal((await fetch(address, { method: 'DELETE', headers })).status, 204);
  assert.equal((await fetch(address, { headers })).status, 401);
  await assert.rejects(oauth.refreshTokenGrant(app, issued.refresh_token), (error) => error.error === 'invalid_client');
});

test('once it is approved, a client goes on without a page while its user is signed in', async () => {
  const redirect = 'https://tide.example/back';
  const scope = 'launch/patient openid patient/Patient.r';
  const app = await register(invite(), { token_endpoint_auth_method: 'none', redirect_uris: [redirect], scope: `${scope} online_access` });
  const person = new Person(service.base, 'amina');
  const silently = () =>
    granted(app, { redirect_uri: redirect, scope: `${scope} online_access`, prompt: 'none' }, async (url) => new URL((await person.open(url)).headers.get('location')));
  const says = (error) => (thrown) => thrown.error === error;
  await assert.rejects(silently(), says('login_required'));
  await person.signsIn();
  await assert.rejects(silently(), says('interaction_required'), 'nobody has checked it');
  service.cli('client', 'approve', app.clientMetadata().client_id);
  await assert.rejects(silently(), says('consent_required'));
  await granted(app, { redirect_uri: redirect, scope }, (url) => new Person(service.base, 'amina').decides(url));
  const token = await silently();
  assert.equal(token.scope, `${scope} online_access`);
  assert.equal(token.patient, 'amina-osei');
  const renewed = await oauth.refreshTokenGrant(app, token.refresh_token);
  await person.submit(await person.open('/account'), 'form', {});
  await assert.rejects(silently(), says('login_required'));
  await assert.rejects(oauth.refreshTokenGrant(app, renewed.refresh_token), says('invalid_grant'));
});
