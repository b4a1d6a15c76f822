// A System Client and a Tethered-Token System Client written with openid-client, unmodified.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'openid-client';
import { Person } from '../../world/person.mjs';
import { Service } from '../../world/service.mjs';
import { ORGANISATION, OTHER_ORGANISATION } from '../../world/world.mjs';
import { bySecret, call, configure } from './apps.mjs';

let service;
before(async () => { service = await Service.start(); });
after(() => service?.stop());

for (const [name, way] of Object.entries(bySecret)) {
  test(`client credentials by ${name} give an hour and no refresh token`, async () => {
    const app = await configure(service, 'letter-sender', way('letter-sender'));
    const token = await oauth.clientCredentialsGrant(app);
    assert.equal(token.expires_in, 3600);
    assert.equal(token.refresh_token, undefined);
    const answer = await call(service, app, token, '/fhir/Patient/amina-osei', { 'X-Org-Public-Id': ORGANISATION });
    assert.equal(answer.status, 200);
  });
}

test('every call names an organisation that has granted access, and none opens the custom REST API', async () => {
  const app = await configure(service, 'letter-sender', bySecret.basic('letter-sender'));
  const token = await oauth.clientCredentialsGrant(app);
  const foreign = { 'X-Org-Public-Id': OTHER_ORGANISATION };
  assert.equal((await call(service, app, token, '/fhir/Patient/amina-osei')).status, 400);
  for (const refused of [['/fhir/Patient/amina-osei', foreign], ['/json/users/self']]) {
    await assert.rejects(call(service, app, token, ...refused), (error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError && error.status === 403, String(error));
      assert.equal(error.cause[0].parameters.error, 'insufficient_scope');
      return true;
    });
  }
});

test('a wrong secret by Basic is a 401 challenge, in the body a 400 invalid_client', async () => {
  const basic = await configure(service, 'letter-sender', oauth.ClientSecretBasic('guess'));
  await assert.rejects(
    oauth.clientCredentialsGrant(basic),
    (error) => error instanceof oauth.WWWAuthenticateChallengeError && error.status === 401,
  );
  const post = await configure(service, 'letter-sender', oauth.ClientSecretPost('guess'));
  await assert.rejects(
    oauth.clientCredentialsGrant(post),
    (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_client' && error.status === 400,
  );
});

test('a public client that asks for client credentials is unauthorized_client', async () => {
  const app = await configure(service, 'sleep-diary');
  await assert.rejects(
    oauth.clientCredentialsGrant(app),
    (error) => error instanceof oauth.ResponseBodyError && error.error === 'unauthorized_client',
  );
});

test('the coordinator\'s refresh token works with scope SITE and rotates', async () => {
  const coordinator = new Person(service.base, 'coordinator');
  await coordinator.signsIn();
  const app = await configure(service, 'clinic-link');
  const first = await oauth.refreshTokenGrant(app, await coordinator.grants('clinic-link'), { scope: 'SITE' });
  assert.equal(first.expires_in, 600);
  assert.equal(first.scope, 'site');
  const second = await oauth.refreshTokenGrant(app, first.refresh_token, { scope: 'SITE' });
  assert.equal((await call(service, app, second, '/fhir/Patient/amina-osei')).status, 200);
});
