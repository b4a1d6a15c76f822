// The way around by mouse and keyboard: the logo, the navigation, ways back, and a log that can be kept.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { approvedElsewhere, statusOf } from './client.mjs';
import { Stage, press, signIn } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.close());

test('the logo leads home from every page, and so does an error', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'amina');
  for (const path of ['/password', '/access-log', '/docs', '/no-such-page']) {
    await page.goto(`${stage.base}${path}`);
    await press(page, 'a.mark');
    assert.equal(page.url(), `${stage.base}/`);
    assert.match(await page.innerText('h1'), /^Hello, /);
  }
  await page.goto(`${stage.base}/no-such-page`);
  await press(page, 'a:has-text("Go to the home page")');
  assert.equal(page.url(), `${stage.base}/`);
}));

test('the navigation is reached by keyboard, and says where one is', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'amina');
  for (let pressed = 0; pressed < 12; pressed += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.getAttribute('href')) === '/account') break;
  }
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  assert.equal(page.url(), `${stage.base}/account`);
  assert.equal(await page.getAttribute('nav a[aria-current=page]', 'href'), '/account');
}));

test('whoever signs out is told so, and whoever is signed out from elsewhere too', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'ben');
  await press(page, 'form[action="/sign-out"] button');
  assert.equal(await page.innerText('[role=status]'), 'You are signed out.');
  await signIn(page, stage.base, 'ben');
  await stage.visit({}, async (other) => {
    await signIn(other, stage.base, 'ben');
    await other.goto(`${stage.base}/sign-ins`);
    await press(other, 'form[action$="/end-others"] button');
  });
  await page.goto(`${stage.base}/connected-apps`);
  assert.match(await page.innerText('[role=status]'), /from another browser/);
}));

test('the access log can be kept as a file', () => stage.visit({}, async (page) => {
  const { access_token: access } = await approvedElsewhere(stage, 'amina');
  assert.equal(await statusOf(stage, access), 200);
  await signIn(page, stage.base, 'amina');
  await page.goto(`${stage.base}/access-log`);
  assert.match(await page.innerText('main'), /Strict App by [^]*Opened your personal details/);
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('a[href$=".csv"]')]);
  assert.equal(file.suggestedFilename(), 'access-log.csv');
}));
