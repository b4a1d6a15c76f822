// Client applications as their developers write them with openid-client.
import * as oauth from 'openid-client';
import { Person } from '../../world/person.mjs';
import { client } from '../../world/world.mjs';

// Nothing listens here: the redirect is read off the answer. The clients are registered without the port.
export const REDIRECT = 'http://127.0.0.1:49161/callback';

/** The library's configuration for a client of this service, as it finds it out from the issuer alone (RFC 8414). */
export function configure(service, clientId, authentication = oauth.None()) {
  return oauth.discovery(new URL(service.base), clientId, undefined, authentication, {
    algorithm: 'oauth2',
    // Plain http is refused by the library anywhere but where it is told to; the test service is on loopback.
    execute: [oauth.allowInsecureRequests],
  });
}

export const bySecret = {
  basic: (clientId) => oauth.ClientSecretBasic(client(clientId).secret),
  post: (clientId) => oauth.ClientSecretPost(client(clientId).secret),
};

/** Sends a person through the authorization page; returns what the library needs to redeem the code. */
export async function authorize(service, config, { username = 'amina', scope = 'PATIENT', decision, told } = {}) {
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const landed = await new Person(service.base, username).decides(url.href, decision, told);
  return { landed, checks: { pkceCodeVerifier: verifier, expectedState: state } };
}

export async function approved(service, config, options) {
  const { landed, checks } = await authorize(service, config, options);
  return oauth.authorizationCodeGrant(config, landed, checks);
}

export function call(service, config, token, path, headers = {}) {
  return oauth.fetchProtectedResource(config, token.access_token, new URL(path, service.base), 'GET', undefined, new Headers(headers));
}
