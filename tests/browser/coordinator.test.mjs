// The Team Coordinator's page: granting a Tethered-Token client access, and taking it back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refresh, statusOf } from './client.mjs';
import { Stage, press, signIn } from './stage.mjs';

const PATH = '/coordinator/api-access';
const REVOKE = 'form[action*=revoke]';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.close());

/** From the Client ID to the page that asks; where the partner has access already, beside it or in its place. */
async function grant(page, clientId = 'clinic-link', existing = 'keep') {
  await page.goto(`${stage.base}${PATH}`);
  await page.fill('input[name=client_id]', clientId);
  await press(page, 'form:has(input[name=client_id]) button');
  if (await page.locator(`input[value=${existing}]`).count() > 0) await page.check(`input[value=${existing}]`);
  if (await page.locator('input[name=check]').count() > 0) await press(page, 'form:has(input[name=check]) button');
}

const shownToken = async (page) => (await page.innerText('output#refresh-token')).trim();

test('a granted client\'s refresh token is shown once, works with scope SITE, and is gone after a reload', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'coordinator');
  await grant(page);
  const shown = await shownToken(page);
  await page.goto(`${stage.base}${PATH}`);
  assert.equal(await page.locator('output#refresh-token').count(), 0);
  assert.ok(!(await page.content()).includes(shown));
  const answer = await refresh(stage, shown, 'clinic-link', 'SITE');
  assert.equal(answer.scope, 'site');
  assert.equal(await statusOf(stage, answer.access_token), 200);
}));

test('reloading the very page that shows the token does not show it again or grant again', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'coordinator');
  await grant(page);
  const shown = await shownToken(page);
  const grants = await page.locator(REVOKE).count();
  await page.reload();
  assert.ok(!(await page.content()).includes(shown));
  assert.equal(await page.locator(REVOKE).count(), grants);
}));

test('the check says what is granted, and going back grants nothing', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'coordinator');
  await page.goto(`${stage.base}${PATH}`);
  const grants = await page.locator(REVOKE).count();
  await page.fill('input[name=client_id]', 'clinic-link');
  await press(page, 'form:has(input[name=client_id]) button');
  const text = await page.innerText('main');
  for (const told of [/Clinic Link/, /clinic-link/, /Access lasts/, /Is this right/]) assert.match(text, told);
  await press(page, 'a:has-text("Go back without granting")');
  assert.equal(await page.locator(REVOKE).count(), grants);
}));

test('replacing ends what the partner had, and the history says who ended it', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'coordinator');
  await grant(page);
  const first = await refresh(stage, await shownToken(page), 'clinic-link', 'SITE');
  assert.equal(await statusOf(stage, first.access_token), 200);
  await grant(page, 'clinic-link', 'replace');
  assert.equal(await statusOf(stage, first.access_token), 401);
  assert.equal(await page.locator(REVOKE).count(), 1);
  await press(page, 'a[href$="/history"]');
  assert.match(await page.innerText('main'), /It goes on[^]*A Team Coordinator took the access back\. It was /);
}));

test('the token is not shown again by going back', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'coordinator');
  await grant(page);
  const shown = await shownToken(page);
  await page.goto(`${stage.base}/connected-apps`);
  await page.goBack();
  assert.ok(!(await page.content()).includes(shown));
}));

test('a revoked grant\'s tokens stop working', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'coordinator');
  await page.goto(`${stage.base}${PATH}`);
  while (await page.locator(REVOKE).count() > 0) await press(page, `${REVOKE} button`);
  await grant(page);
  const first = await refresh(stage, await shownToken(page), 'clinic-link', 'SITE');
  await page.goto(`${stage.base}${PATH}`);
  assert.match(await page.innerText('main'), /Clinic Link/);
  await press(page, `${REVOKE} button`);
  assert.equal(await statusOf(stage, first.access_token), 401);
  const after = await refresh(stage, first.refresh_token, 'clinic-link', 'SITE');
  assert.deepEqual([after.status, after.error], [400, 'invalid_grant']);
}));

for (const [name, clientId] of [['an unknown Client ID', 'nobody'], ['a client of another kind', 'sleep-diary']]) {
  test(`${name} is refused on the page and grants nothing`, () => stage.visit({}, async (page) => {
    await signIn(page, stage.base, 'coordinator');
    await page.goto(`${stage.base}${PATH}`);
    const grants = await page.locator(REVOKE).count();
    await grant(page, clientId);
    assert.equal(await page.locator('output#refresh-token').count(), 0);
    assert.equal(await page.locator('[role=alert]').count(), 1);
    assert.equal(await page.locator(REVOKE).count(), grants);
  }));
}

test('nobody but a Team Coordinator sees the page', () => stage.visit({}, async (page) => {
  await page.goto(`${stage.base}${PATH}`);
  assert.equal(new URL(page.url()).pathname, '/sign-in');
  for (const username of ['amina', 'dr.lindqvist']) {
    await page.context().clearCookies();
    await signIn(page, stage.base, username);
    const answer = await page.goto(`${stage.base}${PATH}`);
    assert.equal(answer.status(), 403, username);
    assert.equal(await page.locator('input[name=client_id]').count(), 0);
  }
}));
