// Passkeys with Chromium's virtual authenticator: made, shown at the sign-in and to an app, copied, and what is left without script.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from '../world/world.mjs';
import { assertAccessible, assertLockedDown, assertNoSidewaysScroll, assertNothingInline } from './checks.mjs';
import { Stage, decide, fillIn, press, signIn } from './stage.mjs';

let stage;
// No IP address is a relying party.
before(async () => { stage = await Stage.open({ host: 'localhost' }); });
after(() => stage?.close());

const ASKS = '[data-passkey] button';
const DEVICE = {
  protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true,
  automaticPresenceSimulation: true,
};

/** A device that keeps passkeys, of whoever looks at this page. */
async function device(page, context, options = {}) {
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...DEVICE, ...options } });
  return (command, more = {}) => cdp.send(`WebAuthn.${command}`, { authenticatorId, ...more });
}

/** Comes to the page that makes a passkey. */
async function begins(page, username, name) {
  await page.goto(`${stage.base}/second-factor`);
  await page.fill('input[name=password]', login(username).password);
  await page.fill('input[name=name]', name);
  await press(page, 'button[value=passkey]');
}

async function isWellMade(page) {
  await assertAccessible(page);
  await assertNoSidewaysScroll(page);
  await assertNothingInline(page);
}

test('a passkey is made, asked for after the password, and shown to an app', () => stage.visit({}, async (page, context) => {
  const keeps = await device(page, context);
  await signIn(page, stage.base, 'amina');
  await begins(page, 'amina', 'The phone');
  await page.locator(ASKS).waitFor();
  await isWellMade(page);
  await press(page, ASKS);
  assert.equal((await page.locator('ol.codes code').allInnerTexts()).length, 10);
  const { credentials } = await keeps('getCredentials');
  assert.deepEqual(credentials.map((one) => [one.rpId, one.isResidentCredential]), [['localhost', true]]);
  await page.goto(`${stage.base}/second-factor`);
  assert.match(await page.innerText('main'), /The passkey The phone, made .*not used yet/);
  await isWellMade(page);

  await press(page, 'form[action="/sign-out"] button');
  await page.goto(`${stage.base}/sign-in`);
  await fillIn(page, 'amina');
  const [answer] = await Promise.all([page.waitForResponse(`${stage.base}/sign-in`), press(page, 'form:has(input[name=password]) button')]);
  const headers = answer.headers();
  assertLockedDown(headers);
  assert.match(headers['content-security-policy'], new RegExp(`script-src ${stage.base}/assets/passkey\\.js;`));
  await page.locator(ASKS).waitFor();
  await isWellMade(page);
  await press(page, ASKS);
  assert.match(await page.innerText('h1'), /Hello/);

  await page.goto(stage.authorizeUrl());
  await fillIn(page, 'amina');
  await press(page, 'button[value=approve]');
  await page.locator(ASKS).waitFor();
  await isWellMade(page);
  await Promise.all([page.waitForURL(`${stage.landing.redirect}?**`), page.click(ASKS)]);
  assert.ok(new URL(page.url()).searchParams.get('code'));

  await page.goto(stage.authorizeUrl());
  await fillIn(page, 'amina');
  await press(page, 'button[value=approve]');
  assert.equal((await decide(page, stage, 'deny')).searchParams.get('error'), 'access_denied');
}));

test('whoever does not let the device verify them is told, and can try again', () => stage.visit({}, async (page, context) => {
  const keeps = await device(page, context);
  await signIn(page, stage.base, 'ben');
  await begins(page, 'ben', 'The phone');
  await keeps('setUserVerified', { isUserVerified: false });
  await page.click(ASKS);
  await page.locator('[data-passkey] [role=status]:has-text("try again")').waitFor();
  await keeps('setUserVerified', { isUserVerified: true });
  await press(page, ASKS);
  assert.equal((await page.locator('ol.codes code').allInnerTexts()).length, 10);
  await begins(page, 'ben', 'The same');
  await page.click(ASKS);
  await page.locator('[data-passkey] [role=status]:has-text("has a passkey")').waitFor();
}));

test('a passkey that somebody has copied is refused, and its owner is told', () => stage.visit({}, async (page, context) => {
  const keeps = await device(page, context);
  await signIn(page, stage.base, 'dr.lindqvist');
  await begins(page, 'dr.lindqvist', 'The phone');
  await press(page, ASKS);
  const [before] = (await keeps('getCredentials')).credentials;
  const comesIn = async () => {
    await page.goto(`${stage.base}/`);
    await press(page, 'form[action="/sign-out"] button');
    await signIn(page, stage.base, 'dr.lindqvist');
    await press(page, ASKS);
  };
  await comesIn();
  assert.match(await page.innerText('h1'), /Hello/);
  // The device that kept the copy counts from where it was copied.
  await keeps('removeCredential', { credentialId: before.credentialId });
  await keeps('addCredential', { credential: before });
  await comesIn();
  assert.match(await page.innerText('main'), /There is a problem/);
  await press(page, ASKS);
  await page.goto(`${stage.base}/notices`);
  assert.match(await page.innerText('main'), /somebody had copied it/);
}));

test('with script switched off the page says so, and a recovery code lets in', async () => {
  let codes;
  await stage.visit({}, async (page, context) => {
    await device(page, context);
    await signIn(page, stage.base, 'coordinator');
    await begins(page, 'coordinator', '');
    await press(page, ASKS);
    codes = await page.locator('ol.codes code').allInnerTexts();
  });
  await stage.visit({ javaScriptEnabled: false }, async (page) => {
    await signIn(page, stage.base, 'coordinator');
    assert.equal(await page.locator('[data-passkey]').isVisible(), false);
    await page.fill('input[name=code]', codes[0]);
    await press(page, 'form:has(input[name=code]) button:not([type=button])');
    assert.match(await page.innerText('h1'), /Hello/);
    await begins(page, 'coordinator', '');
    assert.match(await page.innerText('main'), /script is switched off/);
  });
});
