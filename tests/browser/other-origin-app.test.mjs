// An app that lives in a page of another origin, with oauth4webapi as it comes from npm: it finds the service by discovery,
// gets tokens with PKCE, calls the API, gives its tokens up, and can read every refusal. Nothing of the pages is open to it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Stage, decide, fillIn } from './stage.mjs';

const LIBRARY = readFileSync(fileURLToPath(import.meta.resolve('oauth4webapi')), 'utf8');
const CLIENT = 'strict-app';

let stage;
before(async () => {
  stage = await Stage.open();
  stage.landing.pages['/oauth4webapi.js'] = LIBRARY;
});
after(() => stage?.close());

// In the page: finds the service, keeps what the second half needs, and says where to send the person.
async function setsOut({ base, client_id, redirect }) {
  const oauth = await import(`${location.origin}/oauth4webapi.js`);
  const open = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(base);
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...open });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  sessionStorage.setItem('kept', JSON.stringify({ server, verifier, state }));
  const query = {
    response_type: 'code', client_id, redirect_uri: redirect, scope: 'PATIENT', state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  };
  return `${server.authorization_endpoint}?${new URLSearchParams(query)}`;
}

// In the page: from the redirect to tokens, calls, a refresh, and the end.
async function comesBack({ base, client_id, redirect }) {
  const oauth = await import(`${location.origin}/oauth4webapi.js`);
  const open = { [oauth.allowInsecureRequests]: true };
  const { server, verifier, state } = JSON.parse(sessionStorage.getItem('kept'));
  const client = { client_id };
  const landed = oauth.validateAuthResponse(server, client, new URL(location.href), state);
  const answer = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), landed, redirect, verifier, open);
  const first = await oauth.processAuthorizationCodeResponse(server, client, answer);
  const again = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), first.refresh_token, open);
  const tokens = await oauth.processRefreshTokenResponse(server, client, again);
  const read = (path) => fetch(`${base}${path}`, { headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/fhir+json' } });
  const record = await read('/fhir/Patient/amina-osei');
  const user = await read('/json/users/self');
  const missing = await read('/fhir/NoSuchType/1');
  const revoked = await oauth.revocationRequest(server, client, oauth.None(), tokens.refresh_token, open);
  await oauth.processRevocationResponse(revoked);
  const refused = await read('/fhir/Patient/amina-osei');
  return {
    record: { status: record.status, etag: record.headers.get('etag'), id: (await record.json()).id },
    user: user.status,
    missing: missing.status,
    refused: { status: refused.status, challenge: refused.headers.get('www-authenticate') },
  };
}

test('an app of another origin gets tokens with PKCE, calls both APIs and gives its tokens up', () => stage.visit({}, async (page) => {
  const app = { base: stage.base, client_id: CLIENT, redirect: stage.landing.redirect };
  assert.notEqual(new URL(stage.base).origin, stage.landing.origin);
  await page.goto(`${stage.landing.origin}/app`);
  await page.goto(await page.evaluate(setsOut, app));
  await fillIn(page, 'amina');
  await decide(page, stage, 'approve');
  const told = await page.evaluate(comesBack, app);
  assert.deepEqual(told.record, { status: 200, etag: 'W/"1"', id: 'amina-osei' });
  assert.deepEqual([told.user, told.missing, told.refused.status], [200, 404, 401]);
  assert.match(told.refused.challenge, /error="invalid_token".*resource_metadata="/);
}));

test('no page can be read from another origin, and nothing at all with cookies', async () => {
  // Chromium says on the console what it refuses to hand over, so this is no ordinary visit.
  const context = await stage.browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${stage.landing.origin}/app`);
    const reads = (path, options = {}) => page.evaluate(async ([url, sent]) => {
      try { return (await fetch(url, sent)).status; } catch (refused) { return refused.name; }
    }, [`${stage.base}${path}`, options]);
    assert.equal(await reads('/fhir/metadata'), 200);
    assert.equal(await reads('/fhir/metadata', { credentials: 'include' }), 'TypeError');
    for (const path of ['/sign-in', '/connected-apps', '/apiAuthorize.action', '/healthz']) {
      assert.equal(await reads(path), 'TypeError', path);
    }
    assert.equal(await reads('/apiIntrospect.action', { method: 'POST', body: new URLSearchParams({ token: 'x' }).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }), 'TypeError');
  } finally {
    await context.close();
  }
});
