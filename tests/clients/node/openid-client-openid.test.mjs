// A SMART app written with openid-client, unmodified: OpenID Connect discovery, PKCE, an id_token that the library checks itself.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'openid-client';
import { Person } from '../../world/person.mjs';
import { Service } from '../../world/service.mjs';
import { REDIRECT, call } from './apps.mjs';

const SCOPE = 'launch/patient openid fhirUser offline_access patient/Patient.r';

let service;
let app;
before(async () => {
  service = await Service.start();
  // Found at /.well-known/openid-configuration; with the keys that it names the library checks signatures itself.
  app = await oauth.discovery(new URL(service.base), 'tide-chart', undefined, oauth.None(), { execute: [oauth.allowInsecureRequests, oauth.enableNonRepudiationChecks] });
});
after(() => service?.stop());

/** The library's tokens for a session that a person approves; `expectedNonce` is what it holds the id_token to. */
async function approved({ username = 'amina', expectedNonce, parameters = {} } = {}) {
  const [verifier, state, nonce] = [oauth.randomPKCECodeVerifier(), oauth.randomState(), oauth.randomNonce()];
  const url = oauth.buildAuthorizationUrl(app, {
    redirect_uri: REDIRECT, scope: SCOPE, state, nonce, aud: `${service.base}/fhir`,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256', ...parameters,
  });
  const landed = await new Person(service.base, username).decides(url.href);
  return oauth.authorizationCodeGrant(app, landed, { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: expectedNonce ?? nonce, idTokenExpected: true });
}

test('an id_token is good by the published keys, and says who signed in', async () => {
  const token = await approved();
  const claims = token.claims();
  assert.equal(claims.iss, service.base);
  assert.equal(claims.aud, 'tide-chart');
  assert.equal(claims.fhirUser, `${service.base}/fhir/Patient/amina-osei`);
  assert.equal(token.patient, 'amina-osei');
  assert.equal(token.need_patient_banner, false);
  assert.equal(token.scope, SCOPE);
  const patient = await (await call(service, app, token, `/fhir/Patient/${token.patient}`)).json();
  assert.equal(patient.id, 'amina-osei');
});

test('userinfo is about the person of the id_token', async () => {
  const token = await approved();
  const { sub } = token.claims();
  const told = await oauth.fetchUserInfo(app, token.access_token, sub);
  assert.equal(told.sub, sub);
  await assert.rejects(oauth.fetchUserInfo(app, token.access_token, 'somebody else'));
  assert.equal((await approved()).claims().sub, sub, 'always the same');
});

test('a nonce of another request is found out by the library', async () => {
  await assert.rejects(approved({ expectedNonce: 'of another request' }));
});

test('max_age is held by the time of the sign-in', async () => {
  const claims = (await approved({ parameters: { max_age: '60' } })).claims();
  assert.ok(claims.auth_time * 1000 > Date.now() - 60_000, `${claims.auth_time}`);
});

test('a request is pushed first, and its name opens the page once', async () => {
  const [verifier, state] = [oauth.randomPKCECodeVerifier(), oauth.randomState()];
  const url = await oauth.buildAuthorizationUrlWithPAR(app, {
    redirect_uri: REDIRECT, scope: SCOPE, state, aud: `${service.base}/fhir`,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  });
  assert.deepEqual([...url.searchParams.keys()].sort(), ['client_id', 'request_uri']);
  const landed = await new Person(service.base, 'amina').decides(url.href);
  const token = await oauth.authorizationCodeGrant(app, landed, { pkceCodeVerifier: verifier, expectedState: state });
  assert.equal(token.patient, 'amina-osei');
  await assert.rejects(oauth.buildAuthorizationUrlWithPAR(app, { redirect_uri: 'http://evil.example/' }), (error) => error.error === 'invalid_request');
});

test('a refresh goes on with the same scopes', async () => {
  const first = await approved();
  const second = await oauth.refreshTokenGrant(app, first.refresh_token);
  assert.equal(second.scope, SCOPE);
  assert.equal(second.patient, 'amina-osei');
});

test('the app has its user signed out of the browser, and keeps its own access', async () => {
  const token = await approved();
  const person = new Person(service.base, 'amina');
  await person.signsIn();
  assert.equal((await person.open('/account')).status, 200);
  const url = oauth.buildEndSessionUrl(app, { id_token_hint: token.id_token, post_logout_redirect_uri: 'https://tide.example/bye', state: 'so long' });
  const left = await person.open(url.href);
  assert.equal(left.headers.get('location'), 'https://tide.example/bye?state=so+long');
  assert.match((await person.open('/account')).url.pathname, /sign-in/);
  assert.ok((await oauth.refreshTokenGrant(app, token.refresh_token)).access_token);
});
