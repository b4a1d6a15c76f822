// Signing in to the pages: cookies that script and other sites cannot use, and refusals that tell nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person } from '../world/person.mjs';
import { Service } from '../world/service.mjs';
import { Stage, fillIn, press, signIn } from './stage.mjs';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.close());

test('a wrong password and an unknown user get the same words and no cookie that signs in', () => stage.visit({}, async (page) => {
  const heard = [];
  for (const username of ['amina', 'nobody-of-that-name']) {
    await page.goto(`${stage.base}/sign-in`);
    await fillIn(page, username, 'not the password');
    await press(page, 'form:has(input[name=password]) button');
    heard.push(await page.innerText('[role=alert]'));
    await page.goto(`${stage.base}/connected-apps`);
    assert.equal(new URL(page.url()).pathname, '/sign-in');
  }
  assert.equal(heard[0], heard[1]);
}));

test('cookies are HttpOnly, SameSite, and out of script\'s reach', () => stage.visit({}, async (page, context) => {
  await signIn(page, stage.base, 'amina');
  const cookies = await context.cookies();
  assert.ok(cookies.length > 0);
  for (const cookie of cookies) {
    assert.equal(cookie.httpOnly, true, cookie.name);
    assert.ok(['Lax', 'Strict'].includes(cookie.sameSite), `${cookie.name}: ${cookie.sameSite}`);
    assert.equal(cookie.path, '/');
  }
  assert.equal(await page.evaluate(() => document.cookie), '');
}));

test('a cookie that was tampered with signs nobody in', () => stage.visit({}, async (page, context) => {
  await signIn(page, stage.base, 'amina');
  const cookie = (await context.cookies()).find(({ name }) => name === 'recordgate');
  await context.addCookies([{ ...cookie, value: `${cookie.value.slice(0, -4)}AAAA` }]);
  await page.goto(`${stage.base}/connected-apps`);
  assert.equal(new URL(page.url()).pathname, '/sign-in');
}));

test('behind https the cookies are Secure with the __Host- prefix', async () => {
  const behindTls = await Service.start({ baseUrl: 'https://records.example' });
  try {
    const person = new Person(behindTls.base, 'amina');
    person.origin = 'https://records.example';
    await person.signsIn();
    assert.ok(person.cookiesHeard.length > 0);
    for (const cookie of person.cookiesHeard) {
      assert.match(cookie, /^__Host-/);
      assert.match(cookie, /; *Secure/i);
      assert.match(cookie, /; *Path=\/(;|$)/i);
    }
  } finally {
    await behindTls.stop();
  }
});
