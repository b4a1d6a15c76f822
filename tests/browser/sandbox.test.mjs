// The sandbox in a browser: its banner on every page, and the sample app that walks the whole flow step by step.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertAccessible, assertNoSidewaysScroll, assertNothingInline } from './checks.mjs';
import { DESKTOP, PHONE, Stage, press } from './stage.mjs';

const GUIDE_MS = 10_000;

let stage;
let guide;
let amina;
before(async () => {
  stage = await Stage.open({ command: 'sandbox', ports: 2, options: ['--json'] });
  guide = await printedGuide();
  amina = guide.logins.find((login) => login.username === 'amina');
});
after(() => stage?.close());

/** What the sandbox tells on its first line, for programs. */
async function printedGuide() {
  const deadline = Date.now() + GUIDE_MS;
  while (Date.now() < deadline) {
    const line = stage.service.logged().split('\n').find((text) => text.includes('"logins"'));
    if (line) return JSON.parse(line);
    await pause(20);
  }
  throw new Error(`no logins printed: ${stage.service.logged()}`);
}

/** From the sample app's front page to its trace, by way of the authorization page. */
async function connect(page, decision = 'approve') {
  await page.goto(guide.addresses.sample_app);
  await press(page, 'a:has-text("Connect")');
  assert.ok(page.url().startsWith(`${stage.base}/apiAuthorize.action`), page.url());
  await page.fill('input[name=username]', amina.username);
  await page.fill('input[name=password]', amina.password);
  await press(page, `button[name=decision][value=${decision}]`);
  assert.ok(page.url().startsWith(guide.addresses.sample_app), page.url());
}

/** Presses one of the trace's buttons; returns the text of the exchange that it adds. */
async function tryNext(page, action) {
  await press(page, `form[action="${action}"] button`);
  return page.innerText('ol.steps > li:last-child');
}

test('the sample app walks the flow: code, both APIs, refresh, replay, and the session\'s end', () => stage.visit({}, async (page) => {
  await connect(page);
  const opening = await page.innerText('ol.steps');
  assert.match(opening, /code_challenge_method=S256/);
  assert.match(opening, /access_token/);
  assert.match(await tryNext(page, '/call-fhir'), /200[^]*amina/i);
  assert.match(await tryNext(page, '/call-rest'), /200[^]*Amina/);
  assert.match(await tryNext(page, '/refresh'), /200[^]*refresh_token/);
  assert.match(await tryNext(page, '/replay'), /400[^]*invalid_grant/);
  assert.match(await tryNext(page, '/call-fhir'), /401[^]*API_SESSION_INVALID/);
}));

test('the sample app searches by patient and code, turns the page, and opens a letter', () => stage.visit({}, async (page, context) => {
  await connect(page);
  await tryNext(page, '/call-fhir');
  assert.match(await tryNext(page, '/search'), /Observation\?patient=amina-okafor&code=[^]*200[^]*Body weight/);
  assert.match(await tryNext(page, '/next-page'), /_page=[^]*200[^]*Body weight/);
  assert.match(await tryNext(page, '/find-letter'), /200[^]*Binary\//);
  assert.match(await tryNext(page, '/open-letter'), /200[^]*a PDF of \d+ bytes/);
  const [kept] = await Promise.all([page.waitForEvent('download'), page.click('a[href="/letter"]')]);
  assert.equal(kept.suggestedFilename(), 'letter.pdf');
  const letter = await context.request.get(`${guide.addresses.sample_app}/letter`);
  assert.match(await letter.text(), /^%PDF-/);
}));

test('Deny brings the person back to the sample app without access', () => stage.visit({}, async (page) => {
  await connect(page, 'deny');
  assert.match(await page.innerText('main'), /access_denied/);
}));

test('moving the clock past the token\'s life shows the expiry in the sample app', () => stage.visit({}, async (page) => {
  await connect(page);
  const moved = await fetch(`${stage.base}/sandbox/clock`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ advance_seconds: 600 }),
  });
  assert.equal(moved.status, 200);
  assert.match(await tryNext(page, '/call-fhir'), /ACC_TOKEN_EXPIRED/);
  assert.match(await tryNext(page, '/refresh'), /200/);
  assert.match(await tryNext(page, '/call-fhir'), /200/);
}));

const PAGES = {
  'the sandbox\'s authorization page': (page) => page.goto(`${stage.base}/apiAuthorize.action?${new URLSearchParams({ response_type: 'code', client_id: userClient().client_id })}`),
  'the sandbox\'s sign-in page': (page) => page.goto(`${stage.base}/sign-in`),
  'the sample app\'s front page': (page) => page.goto(guide.addresses.sample_app),
  'the sample app\'s trace': (page) => connect(page),
  'the sample app\'s trace after a refusal': async (page) => {
    await connect(page);
    await tryNext(page, '/refresh');
    await tryNext(page, '/replay');
  },
  'the sample app\'s trace with a letter': async (page) => {
    await connect(page);
    for (const action of ['/call-fhir', '/search', '/find-letter', '/open-letter']) await tryNext(page, action);
  },
  'the sample app without access': (page) => connect(page, 'deny'),
};

const userClient = () => guide.clients.find((client) => client.kind === 'user');

for (const [name, show] of Object.entries(PAGES)) {
  for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    for (const colorScheme of ['light', 'dark']) {
      test(`${name}, ${device}, ${colorScheme}`, () => stage.visit({ viewport, colorScheme }, async (page) => {
        await show(page);
        assert.match(await page.innerText('body'), /This is a sandbox/);
        await assertNothingInline(page);
        await assertAccessible(page);
        if (device === 'phone') await assertNoSidewaysScroll(page);
      }));
    }
  }
}

for (const colorScheme of ['light', 'dark']) {
  test(`a forgotten password, by the outbox, ${colorScheme}`, () => stage.visit({ viewport: PHONE, colorScheme }, async (page) => {
    const looksRight = async () => {
      await assertNothingInline(page);
      await assertAccessible(page);
      await assertNoSidewaysScroll(page);
    };
    await page.goto(`${stage.base}/sign-in`);
    await press(page, 'a[href="/forgotten-password"]');
    await looksRight();
    await page.fill('input[name=name]', 'colin');
    await press(page, 'form:has(input[name=name]) button');
    await looksRight();
    const deadline = Date.now() + 60_000;
    do {
      await page.goto(`${stage.base}/sandbox/outbox`);
      await pause(200);
    } while (await page.locator('a:has-text("Follow its link")').count() === 0 && Date.now() < deadline);
    await looksRight();
    await press(page, 'a:has-text("Follow its link")');
    await looksRight();
    for (const [name, text] of [['new_password', 'short'], ['repeated', 'other']]) await page.fill(`input[name=${name}]`, text);
    await press(page, 'form:has(input[name=new_password]) button');
    await looksRight();
    for (const name of ['new_password', 'repeated']) await page.fill(`input[name=${name}]`, 'lantern-otter-quilt-90');
    await press(page, 'form:has(input[name=new_password]) button');
    assert.match(await page.innerText('main'), /Your password is changed/);
    await page.fill('input[name=username]', 'colin');
    await page.fill('input[name=password]', 'lantern-otter-quilt-90');
    await press(page, 'form:has(input[name=password]) button');
    assert.match(await page.innerText('header'), /Signed in as/);
  }));
}
