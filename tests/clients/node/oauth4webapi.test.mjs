// A User Client and a System Client written with oauth4webapi, unmodified: the library that makes nothing of its own accord.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { Person } from '../../world/person.mjs';
import { Service } from '../../world/service.mjs';
import { ORGANISATION, client } from '../../world/world.mjs';
import { keyPair, registerSystem } from '../../world/signer.mjs';

const REDIRECT = 'http://127.0.0.1:49162/callback';
// Plain http is refused by the library unless it is told otherwise; the test service is on loopback.
const PLAIN = { [oauth.allowInsecureRequests]: true };

let service;
let server;
before(async () => {
  service = await Service.start();
  server = { issuer: service.base, token_endpoint: `${service.base}/apiToken.action` };
});
after(() => service?.stop());

const said = (error) => (refusal) => refusal instanceof oauth.ResponseBodyError && refusal.error === error && refusal.status === 400;

/** The parameters of the redirect after Amina approved, and the verifier. */
async function landed(app) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const asked = new URLSearchParams({
    response_type: 'code', client_id: app.client_id, redirect_uri: REDIRECT, scope: 'PATIENT', state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  });
  const url = await new Person(service.base, 'amina').decides(`${service.base}/apiAuthorize.action?${asked}`);
  return { parameters: oauth.validateAuthResponse(server, app, url, state), verifier };
}

async function redeem(app, { parameters, verifier }, authentication = oauth.None()) {
  const answer = await oauth.authorizationCodeGrantRequest(server, app, authentication, parameters, REDIRECT, verifier, PLAIN);
  return oauth.processAuthorizationCodeResponse(server, app, answer);
}

async function refresh(app, token, authentication = oauth.None()) {
  const answer = await oauth.refreshTokenGrantRequest(server, app, authentication, token, PLAIN);
  return oauth.processRefreshTokenResponse(server, app, answer);
}

async function credentials(app, authentication) {
  const answer = await oauth.clientCredentialsGrantRequest(server, app, authentication, new URLSearchParams(), PLAIN);
  return oauth.processClientCredentialsResponse(server, app, answer);
}

function call(token, path, headers = {}) {
  return oauth.protectedResourceRequest(token.access_token, 'GET', new URL(path, service.base), new Headers(headers), null, PLAIN);
}

test('a code with PKCE becomes tokens, a refresh gives others, and a replay is invalid_grant', async () => {
  const app = { client_id: 'sleep-diary' };
  const first = await redeem(app, await landed(app));
  assert.equal(first.expires_in, 600);
  const second = await refresh(app, first.refresh_token);
  assert.equal((await call(second, '/json/users/self')).status, 200);
  await assert.rejects(refresh(app, first.refresh_token), said('invalid_grant'));
  await assert.rejects(call(second, '/json/users/self'), (error) => error instanceof oauth.WWWAuthenticateChallengeError);
});

test('a code redeemed twice is invalid_grant', async () => {
  const app = { client_id: 'sleep-diary' };
  const once = await landed(app);
  await redeem(app, once);
  await assert.rejects(redeem(app, once), said('invalid_grant'));
});

test('client credentials come by Basic, in the body or by a signed assertion', async () => {
  const { secret } = client('letter-sender');
  const pair = await keyPair('ES256', 'one');
  registerSystem(service, 'night-report', [pair]);
  for (const [clientId, way] of [
    ['letter-sender', oauth.ClientSecretBasic(secret)],
    ['letter-sender', oauth.ClientSecretPost(secret)],
    ['night-report', oauth.PrivateKeyJwt(pair)],
  ]) {
    const token = await credentials({ client_id: clientId }, way);
    assert.equal(token.refresh_token, undefined);
    assert.equal((await call(token, '/fhir/Patient/amina-osei', { 'X-Org-Public-Id': ORGANISATION })).status, 200);
  }
  await assert.rejects(credentials({ client_id: 'letter-sender' }, oauth.ClientSecretPost('guess')), said('invalid_client'));
});
