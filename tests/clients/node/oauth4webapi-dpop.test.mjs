// A User Client written with oauth4webapi, unmodified, whose tokens are bound to a key (DPoP). The library makes nothing of its own
// accord: where the service asks for a nonce, the app sends its request again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { Person } from '../../world/person.mjs';
import { Service } from '../../world/service.mjs';

const REDIRECT = 'http://127.0.0.1:49162/callback';
const APP = { client_id: 'sleep-diary' };
const PLAIN = { [oauth.allowInsecureRequests]: true };

let service;
let server;
before(async () => {
  process.env.RECORDGATE_DPOP_NONCE = 'true';
  service = await Service.start();
  delete process.env.RECORDGATE_DPOP_NONCE;
  const answer = await oauth.discoveryRequest(new URL(service.base), { algorithm: 'oauth2', ...PLAIN });
  server = await oauth.processDiscoveryResponse(new URL(service.base), answer);
});
after(() => service?.stop());

/** As the library's own examples do: once more, where a nonce was missing. */
async function withNonce(ask) {
  try {
    return await ask();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return ask();
  }
}

async function holder(algorithm) {
  return oauth.DPoP(APP, await oauth.generateKeyPair(algorithm));
}

/** Amina approves a request that names the key; returns a function that redeems the code. */
async function approved(DPoP) {
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const asked = new URLSearchParams({
    response_type: 'code', client_id: APP.client_id, redirect_uri: REDIRECT, scope: 'PATIENT', state, dpop_jkt: await DPoP.calculateThumbprint(),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  });
  const url = await new Person(service.base, 'amina').decides(`${server.authorization_endpoint}?${asked}`);
  const parameters = oauth.validateAuthResponse(server, APP, url, state);
  return (DPoP) => withNonce(async () => {
    const answer = await oauth.authorizationCodeGrantRequest(server, APP, oauth.None(), parameters, REDIRECT, verifier, { DPoP, ...PLAIN });
    return oauth.processAuthorizationCodeResponse(server, APP, answer);
  });
}

const called = (token, DPoP) => withNonce(() => oauth.protectedResourceRequest(token.access_token, 'GET', new URL('/json/users/self', service.base), new Headers(), null, { DPoP, ...PLAIN }));

test('discovery says by what proofs are signed', () => {
  assert.deepEqual(server.dpop_signing_alg_values_supported, ['ES256', 'ES384', 'EdDSA']);
});

test('a code that names its key is redeemed with it alone', async () => {
  for (const algorithm of ['ES256', 'ES384']) {
    const [DPoP, thief] = [await holder(algorithm), await holder(algorithm)];
    const redeem = await approved(DPoP);
    await assert.rejects(redeem(thief), (error) => error.error === 'invalid_dpop_proof');
    await assert.rejects(redeem(undefined), (error) => error.error === 'invalid_dpop_proof');
    const token = await redeem(DPoP);
    assert.equal(token.token_type, 'dpop');
    assert.equal((await called(token, DPoP)).status, 200);
    await assert.rejects(called(token, thief));
    const next = await withNonce(async () => {
      const answer = await oauth.refreshTokenGrantRequest(server, APP, oauth.None(), token.refresh_token, { DPoP, ...PLAIN });
      return oauth.processRefreshTokenResponse(server, APP, answer);
    });
    assert.equal((await called(next, DPoP)).status, 200);
  }
});
