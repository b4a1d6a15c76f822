// Setting up a second factor and signing in with it, with script switched off.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from '../world/world.mjs';
import { codeOf, secretOn } from './authenticator.mjs';
import { Stage, fillIn, press, signIn } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.close());

const without = { javaScriptEnabled: false };

test('a second factor is set up, asked for, and stood in for by a recovery code, with script switched off', async () => {
  let secret;
  let recovery;
  await stage.visit(without, async (page) => {
    await signIn(page, stage.base, 'amina');
    await page.goto(`${stage.base}/second-factor`);
    await page.fill('input[name=password]', login('amina').password);
    await press(page, 'button[value=set-up]');
    assert.ok(await page.locator('svg[role=img]').isVisible());
    secret = await secretOn(page);
    await page.fill('input[name=code]', '000000');
    await press(page, 'form[action$=confirm] button');
    assert.match(await page.innerText('main'), /There is a problem/);
    await page.fill('input[name=code]', codeOf(secret));
    await press(page, 'form[action$=confirm] button');
    recovery = await page.locator('ol.codes code').allInnerTexts();
    assert.equal(recovery.length, 10);
  });
  await stage.visit(without, async (page) => {
    await signIn(page, stage.base, 'amina');
    assert.equal(await page.getAttribute('input[name=code]', 'autocomplete'), 'one-time-code');
    await page.fill('input[name=code]', codeOf(secret, 1));
    await page.check('input[name=remember]');
    await press(page, 'form:has(input[name=code]) button');
    assert.match(await page.innerText('h1'), /Hello/);
    await press(page, 'form[action="/sign-out"] button');
    await signIn(page, stage.base, 'amina');
    assert.match(await page.innerText('h1'), /Hello/, 'this browser is remembered');
  });
  await stage.visit(without, async (page) => {
    await page.goto(stage.authorizeUrl());
    await fillIn(page, 'amina');
    await press(page, 'button[value=approve]');
    await page.fill('input[name=code]', recovery[0].toLowerCase());
    await Promise.all([page.waitForURL(/code=/), page.locator('button[value=approve]').click()]);
  });
});

test('an operator’s link takes the factor away, with the password', () => stage.visit(without, async (page) => {
  const link = stage.service.cli('user', 'reset-factors', 'amina').match(/http\S+/)[0];
  await page.goto(link);
  await fillIn(page, 'amina', 'not the password');
  await press(page, 'form:has(input[name=password]) button');
  assert.match(await page.innerText('main'), /There is a problem/);
  await fillIn(page, 'amina');
  await press(page, 'form:has(input[name=password]) button');
  assert.match(await page.innerText('main'), /You have no second factor/);
}));
