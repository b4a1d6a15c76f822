// The authorization page in a browser: approve, deny, a wrong password, and requests that are wrong themselves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from '../world/world.mjs';
import { redeem, statusOf } from './client.mjs';
import { Stage, decide, fillIn } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.close());

test('the page names the client\'s owner and product and asks for credentials', () => stage.visit({}, async (page) => {
  await page.goto(stage.authorizeUrl());
  const text = await page.innerText('main');
  assert.match(text, /Plain Apps Cooperative/);
  assert.match(text, /Strict App/);
  assert.equal(await page.getAttribute('input[name=username]', 'autocomplete'), 'username');
  assert.equal(await page.getAttribute('input[name=password]', 'autocomplete'), 'current-password');
}));

test('Approve with the right password leads back with a code and the state, and the code opens the record', () => stage.visit({}, async (page) => {
  await page.goto(stage.authorizeUrl());
  await fillIn(page, 'amina');
  const landed = await decide(page, stage, 'approve');
  assert.deepEqual([...landed.searchParams.keys()].sort(), ['code', 'iss', 'state']);
  assert.equal(landed.searchParams.get('iss'), stage.base);
  assert.equal(landed.searchParams.get('state'), 'kept-by-the-app');
  const { access_token: access } = await redeem(stage, landed);
  assert.equal(await statusOf(stage, access), 200);
}));

test('the client does not learn from a referrer what the browser was looking at', () => stage.visit({}, async (page) => {
  await page.goto(stage.authorizeUrl({ state: 'referrer-is-watched' }));
  await fillIn(page, 'amina');
  await decide(page, stage, 'approve');
  const arrival = stage.landing.arrivals.find(({ url }) => url.searchParams.get('state') === 'referrer-is-watched');
  assert.equal(arrival.referrer, undefined);
}));

test('Deny needs no credentials and leads back with access_denied and no code', () => stage.visit({}, async (page) => {
  await page.goto(stage.authorizeUrl());
  const landed = await decide(page, stage, 'deny');
  assert.deepEqual(Object.fromEntries(landed.searchParams), { error: 'access_denied', state: 'kept-by-the-app', iss: stage.base });
}));

test('a wrong password leads back with access_denied and no code', () => stage.visit({}, async (page) => {
  await page.goto(stage.authorizeUrl());
  await fillIn(page, 'amina', 'not the password');
  const landed = await decide(page, stage, 'approve');
  assert.deepEqual(Object.fromEntries(landed.searchParams), { error: 'access_denied', state: 'kept-by-the-app', iss: stage.base });
}));

test('going back and approving a second time with the same page gives no second code', () => stage.visit({}, async (page) => {
  await page.goto(stage.authorizeUrl());
  const form = await page.evaluate(() => Object.fromEntries(new FormData(document.querySelector('form'))));
  const action = await page.evaluate(() => document.querySelector('form').action);
  await fillIn(page, 'amina');
  const landed = await decide(page, stage, 'approve');
  assert.ok(landed.searchParams.has('code'));
  const again = await fetch(action, {
    method: 'POST', redirect: 'manual', body: new URLSearchParams({ ...form, ...login('amina'), decision: 'approve' }),
  });
  assert.doesNotMatch(again.headers.get('location') ?? '', /[?&]code=/);
}));

for (const [name, parameters] of Object.entries({
  'an unknown client': { client_id: 'nobody' },
  'an unregistered redirect URI': { redirect_uri: 'https://elsewhere.example/callback' },
  'a wrong response_type': { response_type: 'token' },
  'a scope that the client may not have': { scope: 'CLINICIAN' },
})) {
  test(`${name} shows the error page with 400 and no redirect`, () => stage.visit({}, async (page) => {
    const before = stage.landing.arrivals.length;
    const answer = await page.goto(stage.authorizeUrl(parameters));
    assert.equal(answer.status(), 400);
    assert.ok(page.url().startsWith(stage.base), page.url());
    assert.equal(await page.locator('button[name=decision]').count(), 0);
    assert.equal(stage.landing.arrivals.length, before);
    assert.ok((await page.innerText('h1')).length > 0);
  }));
}
