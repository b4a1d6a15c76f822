// Forms posted from somebody else's page: refused, though the browser sends the victim's cookies along.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from '../world/world.mjs';
import { approvedElsewhere, statusOf } from './client.mjs';
import { Landing } from './landing.mjs';
import { Stage, press, signIn } from './stage.mjs';

let stage;
let attacker;
before(async () => {
  stage = await Stage.open();
  attacker = await Landing.open();
});
after(async () => {
  await attacker?.close();
  await stage?.close();
});

// 127.0.0.1 on another port is another origin of the same site, so SameSite cookies do go along: the harder case.
async function postFromElsewhere(page, action, fields) {
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`).join('');
  attacker.pages['/trap'] = `<!doctype html><title>A prize</title><form method="post" action="${action}">${inputs}<button>Claim</button></form>`;
  await page.goto(`${attacker.origin}/trap`);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    press(page, 'button'),
  ]);
  return answer.status();
}

const formOf = (page, selector) => page.evaluate((chosen) => {
  const form = document.querySelector(chosen);
  return { action: form.action, fields: Object.fromEntries(new FormData(form)) };
}, selector);

test('the coordinator\'s grant form is refused from another origin and grants nothing', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'coordinator');
  await page.goto(`${stage.base}/coordinator/api-access/check?client_id=clinic-link`);
  const { action, fields } = await formOf(page, 'form:has(input[name=check])');
  for (const sent of [{ client_id: 'clinic-link' }, fields]) {
    assert.equal(await postFromElsewhere(page, action, sent), 403);
    await page.goto(`${stage.base}/coordinator/api-access`);
    assert.equal(await page.locator('form[action*=revoke]').count(), 0);
  }
}));

test('the patient\'s revoke form is refused from another origin and ends nothing', () => stage.visit({}, async (page) => {
  const tokens = await approvedElsewhere(stage);
  await signIn(page, stage.base, 'amina');
  await page.goto(`${stage.base}/connected-apps`);
  await press(page, 'a:has-text("Disconnect")');
  const { action, fields } = await formOf(page, 'form[action*=revoke]');
  assert.equal(await postFromElsewhere(page, action, fields), 403);
  assert.equal(await statusOf(stage, tokens.access_token), 200);
}));

test('the sign-in form is refused from another origin, so nobody is signed in as somebody else', () => stage.visit({}, async (page) => {
  assert.equal(await postFromElsewhere(page, `${stage.base}/sign-in`, login('ben')), 403);
  await page.goto(`${stage.base}/connected-apps`);
  assert.equal(new URL(page.url()).pathname, '/sign-in');
}));
