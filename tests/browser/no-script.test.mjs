// The pages by keyboard alone, and with script switched off.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person } from '../world/person.mjs';
import { login } from '../world/world.mjs';
import { approvedElsewhere, redeem, statusOf } from './client.mjs';
import { invited, joins } from './invitation.mjs';
import { Stage, decide, fillIn, press, signIn } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.close());

test('approving works with script switched off', () => stage.visit({ javaScriptEnabled: false }, async (page) => {
  await page.goto(stage.authorizeUrl());
  await fillIn(page, 'amina');
  const { access_token: access } = await redeem(stage, await decide(page, stage, 'approve'));
  assert.equal(await statusOf(stage, access), 200);
}));

test('choosing a record, and looking first, work with script switched off', () => stage.visit({ javaScriptEnabled: false }, async (page) => {
  stage.service.cli('consent', 'set', 'amina-osei', '--carer', 'ben', '--labels', 'GENERAL_HEALTH');
  await page.goto(stage.authorizeUrl());
  await fillIn(page, 'ben');
  await press(page, 'button[value=look]');
  assert.equal(await page.locator('fieldset legend').innerText(), 'Whose record?');
  assert.equal(await page.locator('input[name=record][checked]').getAttribute('value'), 'ben-ferrar');
  await page.locator('summary').first().click();
  assert.ok(await page.locator('details dl, details p').first().isVisible());
  await page.check('input[name=record][value=amina-osei]');
  const { access_token: access } = await redeem(stage, await decide(page, stage, 'approve'));
  const found = await fetch(`${stage.base}/fhir/Patient`, { headers: { authorization: `Bearer ${access}` } });
  assert.match(await found.text(), /amina-osei/);
}));

test('granting and revoking work with script switched off', () => stage.visit({ javaScriptEnabled: false }, async (page) => {
  await signIn(page, stage.base, 'coordinator');
  await page.goto(`${stage.base}/coordinator/api-access`);
  await page.fill('input[name=client_id]', 'clinic-link');
  await press(page, 'form:has(input[name=client_id]) button');
  await press(page, 'form:has(input[name=check]) button');
  assert.equal(await page.locator('output#refresh-token').count(), 1);
  await press(page, 'form[action*=revoke] button');
  assert.equal(await page.locator('form[action*=revoke]').count(), 0);
}));

test('ending an account works with script switched off', () => stage.visit({ javaScriptEnabled: false }, async (page) => {
  await joins(stage, await invited(stage, '9990000034'), 'carla@mail.example', 'lantern-otter-quilt-90');
  await signIn(page, stage.base, 'coordinator');
  await page.goto(`${stage.base}/coordinator/accounts`);
  await press(page, 'form[action*="/end/"] button');
  assert.match(await page.innerText('[role=status]'), /The account was ended/);
  assert.equal(await page.locator('form[action*="/end/"]').count(), 0);
}));

test('disconnecting an app and signing out elsewhere work with script switched off', () => stage.visit({ javaScriptEnabled: false }, async (page) => {
  const { access_token: access } = await approvedElsewhere(stage, 'ben');
  const elsewhere = new Person(stage.base, 'ben');
  await elsewhere.signsIn();
  await signIn(page, stage.base, 'ben');
  await page.goto(`${stage.base}/connected-apps`);
  await press(page, 'a:has-text("Disconnect")');
  await press(page, 'form[action*=revoke] button');
  assert.equal(await statusOf(stage, access), 401);
  await page.goto(`${stage.base}/sign-ins`);
  await press(page, 'form[action$="/end-others"] button');
  assert.match(await page.innerText('main'), /signed in nowhere else/);
  const heard = await elsewhere.open('/connected-apps');
  assert.match(heard.text, /signed out: from another browser/);
}));

test('approving works by keyboard alone, and what has the focus is always outlined', () => stage.visit({}, async (page) => {
  await page.goto(stage.authorizeUrl());
  const { username, password } = login('amina');
  for (let pressed = 0; pressed < 25; pressed += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return { name: element.getAttribute('name'), value: element.getAttribute('value'), tag: element.tagName, outlineStyle, outlineWidth };
    });
    if (focused.tag === 'BODY') continue;
    assert.notEqual(focused.outlineStyle, 'none', `${focused.tag} ${focused.name} shows no focus`);
    assert.ok(parseFloat(focused.outlineWidth) >= 2, `${focused.tag} ${focused.name} has an outline of ${focused.outlineWidth}`);
    if (focused.name === 'username') await page.keyboard.type(username);
    if (focused.name === 'password') await page.keyboard.type(password);
    if (focused.name === 'decision' && focused.value === 'approve') {
      await Promise.all([page.waitForURL(`${stage.landing.redirect}?**`), page.keyboard.press('Enter')]);
      assert.ok(new URL(page.url()).searchParams.has('code'));
      return;
    }
  }
  assert.fail('Tab never reached Approve');
}));

test('Enter in the password field approves rather than denies', () => stage.visit({}, async (page) => {
  await page.goto(stage.authorizeUrl());
  await fillIn(page, 'amina');
  await Promise.all([page.waitForURL(`${stage.landing.redirect}?**`), page.press('input[name=password]', 'Enter')]);
  assert.ok(new URL(page.url()).searchParams.has('code'), page.url());
}));
