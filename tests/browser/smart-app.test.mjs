// A SMART app in a page of another origin, written with SMART's own library (npm's fhirclient) as it comes: it finds the service by
// the FHIR address alone, is launched, approved and told about its patient, reads the record, refreshes, and hears no.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { TEAM } from '../world/world.mjs';
import { Stage, decide, fillIn, press, signIn } from './stage.mjs';

// The packages of the suite fhir-clients: the library is large, and one of them is enough.
const LIBRARY = readFileSync(new URL('../fhir-clients/node_modules/fhirclient/build/fhir-client.min.js', import.meta.url), 'utf8');
// The page that README shows.
const [, SHOWN] = /```html app\n([\s\S]*?)```/.exec(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'));
const APP = '<!doctype html><html lang="en"><head><title>Tide Chart</title><link rel="icon" href="data:,"><script src="/fhir-client.js"></script></head><body>Tide Chart</body></html>';
const SCOPE = 'launch/patient openid fhirUser offline_access patient/Patient.rs patient/DocumentReference.rs';

let stage;
before(async () => {
  stage = await Stage.open();
  Object.assign(stage.landing.pages, { '/fhir-client.js': LIBRARY, '/app': APP, '/launch': APP, '/callback': APP });
  stage.canBeOpened('tide-round', 'Tide Round');
});
after(() => stage?.close());

/** Opens the app and lets the library send the browser to the authorization page. */
async function launches(page, clientId, scope) {
  await page.goto(`${stage.landing.origin}/app`);
  const options = { iss: `${stage.base}/fhir`, clientId, scope, redirectUri: stage.landing.redirect, pkceMode: 'required' };
  await Promise.all([
    page.waitForURL(`${stage.base}/apiAuthorize.action?**`),
    page.evaluate((told) => { globalThis.FHIR.oauth2.authorize(told); }, options),
  ]);
}

// In the page that the app is sent back to: what the library knows and gets.
async function looks() {
  const client = await globalThis.FHIR.oauth2.ready();
  const status = (asked) => client.request(asked).then(() => 200, (error) => error.statusCode ?? error.status);
  const first = client.state.tokenResponse;
  const patient = await client.patient.read();
  const letters = await client.request(`DocumentReference?patient=${client.patient.id}`, { pageLimit: 0, flat: true });
  const conditions = await status(`Condition?patient=${client.patient.id}`);
  const refreshed = first.refresh_token && (await client.refresh()).tokenResponse;
  return {
    patient: patient.id,
    context: client.patient.id,
    user: client.user.fhirUser,
    scope: first.scope,
    banner: first.need_patient_banner,
    letters: letters.map((one) => one.id),
    conditions,
    isNew: Boolean(refreshed) && refreshed.access_token !== first.access_token,
    afterwards: await status(`Patient/${client.patient.id}`),
  };
}

test('fhirclient launches a patient\'s app, reads as far as its scopes go, and refreshes', () => stage.visit({}, async (page) => {
  await launches(page, 'tide-chart', SCOPE);
  await fillIn(page, 'amina');
  await decide(page, stage, 'approve');
  const told = await page.evaluate(looks);
  assert.deepEqual([told.patient, told.context, told.user], ['amina-osei', 'amina-osei', 'Patient/amina-osei']);
  assert.deepEqual([told.scope, told.banner], [SCOPE, false]);
  assert.deepEqual(told.letters, ['letter-1']);
  assert.deepEqual([told.conditions, told.isNew, told.afterwards], [403, true, 200]);
}));

test('a clinician picks whom a launched app is told of', () => stage.visit({}, async (page) => {
  await launches(page, 'tide-ward', 'launch/patient openid patient/Patient.rs patient/DocumentReference.rs');
  await fillIn(page, 'dr.lindqvist');
  await press(page, 'button[name=decision][value=approve]');
  await page.check('input[name=patient][value=amina-osei]');
  await decide(page, stage, 'approve');
  const told = await page.evaluate(looks);
  assert.deepEqual([told.patient, told.banner, told.isNew], ['amina-osei', true, false]);
}));

/** Presses what opens the app, and lets the library read off its address what it was opened with. */
async function isOpened(page) {
  await Promise.all([page.waitForURL(`${stage.landing.origin}/launch?**`), page.click('form[action^="/apps/"] button')]);
  const scope = 'launch openid fhirUser offline_access patient/Patient.rs patient/DocumentReference.rs';
  await Promise.all([
    page.waitForURL(`${stage.base}/apiAuthorize.action?**`),
    page.evaluate((told) => { globalThis.FHIR.oauth2.authorize(told); }, { clientId: 'tide-round', scope, redirectUri: stage.landing.redirect, pkceMode: 'required' }),
  ]);
  assert.equal(await page.locator('input[name=password]').count(), 0, 'approval alone is asked for');
}

test('a patient opens an app from here, and fhirclient is told for whom', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'amina');
  await page.goto(`${stage.base}/apps`);
  await press(page, 'a[href="/apps/tide%2Dround"]');
  await isOpened(page);
  await decide(page, stage, 'approve');
  const told = await page.evaluate(looks);
  assert.deepEqual([told.patient, told.user, told.banner, told.isNew], ['amina-osei', 'Patient/amina-osei', false, true]);
  assert.match(told.scope, /^launch /);
}));

test('a clinician opens an app for the patient whose record is open', () => stage.visit({}, async (page) => {
  await signIn(page, stage.base, 'dr.lindqvist');
  await page.goto(`${stage.base}/teams/${TEAM}/patients/amina-osei`);
  await press(page, 'a[href^="/apps?"]');
  await press(page, 'a[href^="/apps/tide%2Dround?"]');
  await isOpened(page);
  assert.match(await page.locator('main').innerText(), /You opened Tide Round for Amina/);
  await decide(page, stage, 'approve');
  const told = await page.evaluate(looks);
  assert.deepEqual([told.patient, told.banner], ['amina-osei', true]);
}));

test('who says no leaves the library with an error that it tells', () => stage.visit({}, async (page) => {
  await launches(page, 'tide-chart', SCOPE);
  await decide(page, stage, 'deny');
  const said = await page.evaluate(() => globalThis.FHIR.oauth2.ready().then(() => 'ready', (error) => error.message));
  assert.match(said, /access_denied/);
}));

test('the page that README shows is an app that reads what was granted', () => stage.visit({}, async (page) => {
  stage.service.cli('client', 'add', '--kind', 'user', '--smart', '--client-id', 'my-letters', '--owner', 'My Company', '--product', 'My Letters', '--redirect-uri', 'http://127.0.0.1/');
  Object.assign(stage.landing.pages, { '/': SHOWN.replace('http://127.0.0.1:8080', stage.base), '/fhir-client.min.js': LIBRARY });
  await Promise.all([page.waitForURL(`${stage.base}/apiAuthorize.action?**`), page.goto(`${stage.landing.origin}/`, { waitUntil: 'commit' })]);
  await fillIn(page, 'amina');
  await page.click('button[name=decision][value=approve]');
  await page.waitForFunction(() => document.getElementById('letters')?.textContent.startsWith('Letters:'));
  assert.equal(await page.textContent('#letters'), 'Letters: 1');
}));
