// The patient's page of connected apps: what it tells, the check before Disconnect, and that it ends the session.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { approvedElsewhere, refresh, statusOf } from './client.mjs';
import { DESKTOP, Stage, fillIn, press, signIn } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.close());

test('a patient sees each app with its owner, since when, when last used and when it ends', () => stage.visit({ viewport: DESKTOP }, async (page) => {
  await approvedElsewhere(stage, 'ben');
  await signIn(page, stage.base, 'ben');
  await page.goto(`${stage.base}/connected-apps`);
  const text = await page.innerText('main');
  for (const told of [/Strict App/, /Plain Apps Cooperative/, /since/i, /last used/i, /ends/i]) assert.match(text, told);
  const moments = await page.locator('main time').count();
  assert.ok(moments >= 2, `${moments} moments are marked up as time`);
}));

test('Disconnect says what ends, then ends the session at once and tells that it ended', () => stage.visit({}, async (page) => {
  const tokens = await approvedElsewhere(stage, 'amina');
  assert.equal(await statusOf(stage, tokens.access_token), 200);
  await signIn(page, stage.base, 'amina');
  await page.goto(`${stage.base}/connected-apps`);
  await press(page, 'a:has-text("Disconnect")');
  assert.match(await page.innerText('main'), /loses access at once/);
  assert.equal(await statusOf(stage, tokens.access_token), 200);
  await press(page, 'form[action*=revoke] button');
  assert.equal(await page.locator('a:has-text("Disconnect")').count(), 0);
  assert.match(await page.innerText('main'), /No longer connected[^]*You took the access back/);
  assert.equal(await statusOf(stage, tokens.access_token), 401);
  const after = await refresh(stage, tokens.refresh_token);
  assert.deepEqual([after.status, after.error], [400, 'invalid_grant']);
}));

test('a patient sees nobody else\'s apps', () => stage.visit({}, async (page) => {
  await approvedElsewhere(stage, 'ben', 'patient-app');
  await signIn(page, stage.base, 'amina');
  await page.goto(`${stage.base}/connected-apps`);
  assert.doesNotMatch(await page.innerText('main'), /Patient App/);
}));

test('who is not signed in is asked to sign in, and then gets to the page', () => stage.visit({}, async (page) => {
  await page.goto(`${stage.base}/connected-apps`);
  assert.equal(new URL(page.url()).pathname, '/sign-in');
  await fillIn(page, 'ben');
  await press(page, 'form:has(input[name=password]) button');
  assert.equal(page.url(), `${stage.base}/connected-apps`);
}));
