// Making an account by invitation: from the link to one's own record, with script switched off, and by keyboard alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BORN, invited, joinUrl } from './invitation.mjs';
import { Stage, press } from './stage.mjs';

const PASSWORD = 'lantern-otter-quilt-90';

let stage;
before(async () => { stage = await Stage.open(); });
after(() => stage?.close());

test('a link leads to an account with script switched off', () => stage.visit({ javaScriptEnabled: false }, async (page) => {
  await page.goto(joinUrl(stage, await invited(stage, '9990000034'), 'carla@mail.example'));
  for (const [name, text] of Object.entries(BORN)) await page.fill(`input[name=${name}]`, text);
  await press(page, 'form button');
  assert.equal(await page.inputValue('input[name=e]'), 'carla@mail.example');
  for (const name of ['password', 'repeated']) await page.fill(`input[name=${name}]`, PASSWORD);
  await press(page, 'form button');
  assert.match(await page.innerText('[role=status]'), /Your account is made/);
  await page.fill('input[name=username]', 'carla@mail.example');
  await page.fill('input[name=password]', PASSWORD);
  await press(page, 'form:has(input[name=password]) button');
  assert.match(await page.innerText('header'), /Carla New/);
}));

test('an account is made by keyboard alone, and what has the focus is always outlined', () => stage.visit({}, async (page) => {
  await page.goto(joinUrl(stage, await invited(stage, '9990000042'), 'second@mail.example'));
  const typed = { ...BORN, password: PASSWORD, repeated: PASSWORD };
  for (let pressed = 0; pressed < 40 && !page.url().includes('/sign-in'); pressed += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return { name: element.getAttribute('name'), tag: element.tagName, outlineStyle, outlineWidth };
    });
    if (focused.tag === 'BODY') continue;
    assert.notEqual(focused.outlineStyle, 'none', `${focused.tag} ${focused.name} shows no focus`);
    assert.ok(parseFloat(focused.outlineWidth) >= 2, `${focused.tag} ${focused.name} has an outline of ${focused.outlineWidth}`);
    if (typed[focused.name]) await page.keyboard.type(typed[focused.name]);
    if (focused.tag === 'BUTTON') await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  }
  assert.equal(new URL(page.url()).searchParams.get('why'), 'account-made');
}));

test('after a mistake the summary has the focus, and its link leads to the field', () => stage.visit({}, async (page) => {
  await page.goto(joinUrl(stage, { code: '0000-0000-0000', token: 'none' }, ''));
  for (const [name, text] of Object.entries(BORN)) await page.fill(`input[name=${name}]`, text);
  await press(page, 'form button');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'alert');
  await page.click('[role=alert] a');
  assert.equal(await page.evaluate(() => document.activeElement.id), 't1');
}));
