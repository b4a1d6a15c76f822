// Apps written with openid-client, unmodified, whose tokens are bound to a key (DPoP): the library signs a proof for each request, and
// tries again by itself where the service asks for a nonce.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as oauth from 'openid-client';
import { Person } from '../../world/person.mjs';
import { Service } from '../../world/service.mjs';
import { REDIRECT, authorize, bySecret, call, configure } from './apps.mjs';
import { ORGANISATION } from '../../world/world.mjs';

const SELF = '/json/users/self';

async function holder(config, algorithm = 'ES256') {
  return oauth.getDPoPHandle(config, await oauth.randomDPoPKeyPair(algorithm));
}

function callBound(service, config, token, DPoP, path = SELF, headers = {}) {
  return oauth.fetchProtectedResource(config, token.access_token, new URL(path, service.base), 'GET', undefined, new Headers(headers), { DPoP });
}

for (const nonce of ['false', 'true']) {
  describe(`dpop.nonce = ${nonce}`, () => {
    let service;
    let config;
    before(async () => {
      process.env.RECORDGATE_DPOP_NONCE = nonce;
      service = await Service.start();
      delete process.env.RECORDGATE_DPOP_NONCE;
      config = await configure(service, 'sleep-diary');
    });
    after(() => service?.stop());

    /** A session of Amina's whose tokens are bound, and the one that holds the key. */
    async function bound(algorithm) {
      const DPoP = await holder(config, algorithm);
      const { landed, checks } = await authorize(service, config);
      const token = await oauth.authorizationCodeGrant(config, landed, checks, undefined, { DPoP });
      assert.equal(token.token_type, 'dpop');
      return { token, DPoP };
    }

    test('a bound token opens both APIs, and its successor too', async () => {
      for (const algorithm of ['ES256', 'ES384']) {
        const { token, DPoP } = await bound(algorithm);
        for (const path of [SELF, '/fhir/Patient/amina-osei?_format=json']) {
          assert.equal((await callBound(service, config, token, DPoP, path)).status, 200, path);
        }
        const second = await oauth.refreshTokenGrant(config, token.refresh_token, undefined, { DPoP });
        assert.equal((await callBound(service, config, second, DPoP)).status, 200);
      }
    });

    test('without the key a bound token opens nothing, and refreshes nothing', async () => {
      const { token, DPoP } = await bound();
      const thief = await holder(config);
      await assert.rejects(call(service, config, token, SELF), (error) => error instanceof oauth.WWWAuthenticateChallengeError);
      await assert.rejects(callBound(service, config, token, thief), (error) => error.cause[0].parameters.error === 'invalid_token');
      for (const options of [undefined, { DPoP: thief }]) {
        await assert.rejects(oauth.refreshTokenGrant(config, token.refresh_token, undefined, options), (error) => error.error === 'invalid_dpop_proof');
      }
      assert.ok((await oauth.refreshTokenGrant(config, token.refresh_token, undefined, { DPoP })).access_token, 'nothing was spent');
    });

    test('a request that is pushed with a proof binds its code', async () => {
      const [DPoP, thief] = [await holder(config), await holder(config)];
      const [verifier, state] = [oauth.randomPKCECodeVerifier(), oauth.randomState()];
      const asked = {
        redirect_uri: REDIRECT, scope: 'PATIENT', state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
      };
      const url = await oauth.buildAuthorizationUrlWithPAR(config, asked, { DPoP });
      const landed = await new Person(service.base, 'amina').decides(url.href);
      const checks = { pkceCodeVerifier: verifier, expectedState: state };
      await assert.rejects(oauth.authorizationCodeGrant(config, landed, checks, undefined, { DPoP: thief }), (error) => error.error === 'invalid_dpop_proof');
      assert.equal((await oauth.authorizationCodeGrant(config, landed, checks, undefined, { DPoP })).token_type, 'dpop');
    });

    test('a System Client has bound tokens as well', async () => {
      const sender = await configure(service, 'letter-sender', bySecret.basic('letter-sender'));
      const DPoP = await holder(sender);
      const token = await oauth.clientCredentialsGrant(sender, undefined, { DPoP });
      const headers = { 'X-Org-Public-Id': ORGANISATION };
      assert.equal((await callBound(service, sender, token, DPoP, '/fhir/Patient/amina-osei', headers)).status, 200);
      await assert.rejects(call(service, sender, token, '/fhir/Patient/amina-osei', headers));
    });
  });
}
