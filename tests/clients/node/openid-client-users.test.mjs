// A User Client written with openid-client, unmodified: code with PKCE, refresh, and the library's own errors.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'openid-client';
import { Service } from '../../world/service.mjs';
import { approved, authorize, bySecret, call, configure } from './apps.mjs';

let service;
before(async () => { service = await Service.start(); });
after(() => service?.stop());

const invalidGrant = (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant' && error.status === 400;
const refusedToken = (error) => error instanceof oauth.WWWAuthenticateChallengeError && error.status === 401;

test('a code with PKCE becomes tokens that open both APIs', async () => {
  const app = await configure(service, 'sleep-diary');
  const token = await approved(service, app);
  assert.equal(token.expires_in, 600);
  assert.equal(token.scope, 'patient');
  const found = await (await call(service, app, token, '/fhir/Patient?identifier=https://fhir.nhs.uk/Id/nhs-number|9990000018')).json();
  assert.deepEqual(found.entry.map((entry) => entry.resource.id), ['amina-osei']);
  const self = await (await call(service, app, token, '/json/users/self')).json();
  assert.equal(self.lastName, 'Osei');
});

test('a refresh gives new tokens that work', async () => {
  const app = await configure(service, 'sleep-diary');
  const first = await approved(service, app);
  const second = await oauth.refreshTokenGrant(app, first.refresh_token, { scope: 'PATIENT' });
  assert.notEqual(second.refresh_token, first.refresh_token);
  assert.equal((await call(service, app, second, '/fhir/Patient/amina-osei')).status, 200);
});

test('a used refresh token is invalid_grant and the session\'s tokens are dead afterwards', async () => {
  const app = await configure(service, 'strict-app');
  const first = await approved(service, app);
  const second = await oauth.refreshTokenGrant(app, first.refresh_token);
  await assert.rejects(oauth.refreshTokenGrant(app, first.refresh_token), invalidGrant);
  await assert.rejects(call(service, app, second, '/json/users/self'), refusedToken);
  await assert.rejects(oauth.refreshTokenGrant(app, second.refresh_token), invalidGrant);
});

test('another session of the same user goes on when one is ended by replay', async () => {
  const app = await configure(service, 'strict-app');
  const [ended, kept] = [await approved(service, app), await approved(service, app)];
  await oauth.refreshTokenGrant(app, ended.refresh_token);
  await assert.rejects(oauth.refreshTokenGrant(app, ended.refresh_token), invalidGrant);
  assert.equal((await call(service, app, kept, '/json/users/self')).status, 200);
});

test('a code redeemed twice is invalid_grant and ends the session', async () => {
  const app = await configure(service, 'sleep-diary');
  const { landed, checks } = await authorize(service, app);
  const token = await oauth.authorizationCodeGrant(app, landed, checks);
  await assert.rejects(oauth.authorizationCodeGrant(app, landed, checks), invalidGrant);
  await assert.rejects(call(service, app, token, '/json/users/self'), refusedToken);
});

test('a wrong verifier is invalid_grant', async () => {
  const app = await configure(service, 'sleep-diary');
  const { landed, checks } = await authorize(service, app);
  const wrong = { ...checks, pkceCodeVerifier: oauth.randomPKCECodeVerifier() };
  await assert.rejects(oauth.authorizationCodeGrant(app, landed, wrong), invalidGrant);
});

test('deny and a wrong password surface as the library\'s AuthorizationResponseError', async () => {
  const app = await configure(service, 'sleep-diary');
  for (const options of [{ decision: 'deny' }, { told: { username: 'amina', password: 'not the password' } }]) {
    const { landed, checks } = await authorize(service, app, options);
    await assert.rejects(
      oauth.authorizationCodeGrant(app, landed, checks),
      (error) => error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied',
    );
  }
});

test('a confidential client proves itself by Basic or in the body', async () => {
  for (const way of [bySecret.basic, bySecret.post]) {
    const app = await configure(service, 'ward-board', way('ward-board'));
    const token = await approved(service, app, { username: 'dr.lindqvist', scope: 'CLINICIAN' });
    const renewed = await oauth.refreshTokenGrant(app, token.refresh_token);
    assert.equal(renewed.scope, 'clinician');
  }
});
