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

async function grant(page, clientId = 'clinic-link') {
  await page.goto(`${stage.base}${PATH}`);
  await page.fill('input[name=client_id]', clientId);
  await press(page, 'form:has(input[name=client_id]) button');
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
