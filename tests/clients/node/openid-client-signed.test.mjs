// Clients that sign instead of having a secret (private_key_jwt), written with openid-client, unmodified.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'openid-client';
import { Service } from '../../world/service.mjs';
import { change, keyPair, register, registerSystem } from '../../world/signer.mjs';
import { ORGANISATION } from '../../world/world.mjs';
import { REDIRECT, approved, call, configure } from './apps.mjs';

let service;
before(async () => { service = await Service.start(); });
after(() => service?.stop());

const invalidClient = (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_client' && error.status === 400;
const patient = (app, token) => call(service, app, token, '/fhir/Patient/amina-osei', { 'X-Org-Public-Id': ORGANISATION });

for (const algorithm of ['ES256', 'ES384', 'RS256', 'PS256']) {
  test(`a System Client gets its token by ${algorithm}`, async () => {
    const pair = await keyPair(algorithm, 'one');
    const clientId = `night-report-${algorithm}`;
    registerSystem(service, clientId, [pair]);
    const app = await configure(service, clientId, oauth.PrivateKeyJwt(pair));
    const token = await oauth.clientCredentialsGrant(app);
    assert.equal(token.expires_in, 3600);
    assert.equal((await patient(app, token)).status, 200);
    await oauth.clientCredentialsGrant(app);
  });
}

test('a Backend Service is granted scopes of SMART, and acts for the organisation that is set', async () => {
  const pair = await keyPair('ES384', 'one');
  register(service, 'flu-numbers', [pair], '--kind', 'system', '--scope', 'system/Patient.rs', '--scope', 'system/Immunization.rs', '--default-organisation', ORGANISATION);
  service.cli('organisation', 'grant', ORGANISATION, 'flu-numbers');
  const app = await configure(service, 'flu-numbers', oauth.PrivateKeyJwt(pair));
  const token = await oauth.clientCredentialsGrant(app, { scope: 'system/Patient.read' });
  assert.deepEqual([token.expires_in, token.scope], [300, 'system/Patient.read']);
  assert.equal((await call(service, app, token, '/fhir/Patient/amina-osei')).status, 200);
  await assert.rejects(call(service, app, token, '/fhir/Immunization?patient=amina-osei'), (error) => error.status === 403);
  await assert.rejects(
    oauth.clientCredentialsGrant(app, { scope: 'system/Condition.rs' }),
    (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_scope',
  );
});

test('a confidential User Client redeems and refreshes by assertions, and a replay is invalid_grant', async () => {
  const pair = await keyPair('ES256', 'board');
  register(service, 'signing-board', [pair], '--kind', 'user', '--scope', 'PATIENT', '--redirect-uri', new URL(REDIRECT).href.replace(/:\d+/, ''));
  const app = await configure(service, 'signing-board', oauth.PrivateKeyJwt(pair));
  const first = await approved(service, app);
  const second = await oauth.refreshTokenGrant(app, first.refresh_token);
  assert.equal((await call(service, app, second, '/json/users/self')).status, 200);
  await assert.rejects(
    oauth.refreshTokenGrant(app, first.refresh_token),
    (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant',
  );
});

test('keys are rotated side by side, and a removed key takes its tokens with it', async () => {
  const [old, next] = [await keyPair('ES256', 'old'), await keyPair('ES256', 'next')];
  registerSystem(service, 'rotating', [old]);
  const byOld = await configure(service, 'rotating', oauth.PrivateKeyJwt(old));
  const byNext = await configure(service, 'rotating', oauth.PrivateKeyJwt(next));
  await assert.rejects(oauth.clientCredentialsGrant(byNext), invalidClient);
  const early = await oauth.clientCredentialsGrant(byOld);
  change(service, 'rotating', [old, next]);
  const late = await oauth.clientCredentialsGrant(byNext);
  assert.equal((await patient(byOld, early)).status, 200);
  change(service, 'rotating', [next]);
  assert.equal((await patient(byNext, late)).status, 200);
  await assert.rejects(patient(byOld, early), (error) => error.status === 401);
  await assert.rejects(oauth.clientCredentialsGrant(byOld), invalidClient);
});
