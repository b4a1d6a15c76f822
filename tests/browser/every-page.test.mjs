// Every page × phone and desktop × light and dark: WCAG 2.2 AA by axe-core, no sideways scrolling, strict headers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible, assertLockedDown, assertNoSidewaysScroll, assertNothingInline } from './checks.mjs';
import { approvedElsewhere } from './client.mjs';
import { DESKTOP, PHONE, Stage, fillIn, press, signIn } from './stage.mjs';

let stage;
before(async () => {
  stage = await Stage.open();
  await approvedElsewhere(stage, 'amina');
  await approvedElsewhere(stage, 'amina', 'patient-app');
});
after(() => stage?.close());

const open = (path) => (page) => page.goto(`${stage.base}${path}`);

const PAGES = {
  'the authorization page': (page) => page.goto(stage.authorizeUrl()),
  'the authorization error page': (page) => page.goto(stage.authorizeUrl({ client_id: 'nobody' })),
  'the sign-in page': open('/sign-in'),
  'the sign-in page after a wrong password': async (page) => {
    await page.goto(`${stage.base}/sign-in`);
    await fillIn(page, 'ben', 'not the password');
    await press(page, 'form:has(input[name=password]) button');
  },
  'the coordinator\'s page': async (page) => {
    await signIn(page, stage.base, 'coordinator');
    return open('/coordinator/api-access')(page);
  },
  'the coordinator\'s page with a new refresh token': async (page) => {
    await signIn(page, stage.base, 'coordinator');
    await open('/coordinator/api-access')(page);
    await page.fill('input[name=client_id]', 'clinic-link');
    await press(page, 'form:has(input[name=client_id]) button');
  },
  'connected apps': async (page) => {
    await signIn(page, stage.base, 'amina');
    return open('/connected-apps')(page);
  },
  'connected apps when there are none': async (page) => {
    await signIn(page, stage.base, 'ben');
    return open('/connected-apps')(page);
  },
  'the password page': async (page) => {
    await signIn(page, stage.base, 'ben');
    return open('/password')(page);
  },
  'the password page after a password that may not be chosen': async (page) => {
    await signIn(page, stage.base, 'ben');
    await open('/password')(page);
    for (const [name, text] of [['password', 'x'], ['new_password', 'short'], ['repeated', 'short']]) await page.fill(`input[name=${name}]`, text);
    await press(page, 'form:has(input[name=new_password]) button');
  },
  'the documentation': open('/docs'),
  'a page that is not there': open('/no-such-page'),
};

for (const [name, show] of Object.entries(PAGES)) {
  for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    for (const colorScheme of ['light', 'dark']) {
      test(`${name}, ${device}, ${colorScheme}`, () => stage.visit({ viewport, colorScheme }, async (page) => {
        const answers = [];
        page.on('response', (answer) => { if (answer.request().resourceType() === 'document') answers.push(answer); });
        await show(page);
        assertLockedDown(answers.at(-1).headers());
        await assertNothingInline(page);
        await assertAccessible(page);
        if (device === 'phone') await assertNoSidewaysScroll(page);
      }));
    }
  }
}

test('the pages follow the reader\'s colour scheme', async () => {
  const grounds = new Set();
  for (const colorScheme of ['light', 'dark']) {
    await stage.visit({ colorScheme }, async (page) => {
      await page.goto(`${stage.base}/sign-in`);
      grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color));
    });
  }
  assert.equal(grounds.size, 2);
});
