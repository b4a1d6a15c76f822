// Every page × phone and desktop × light and dark: WCAG 2.2 AA by axe-core, no sideways scrolling, strict headers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible, assertLockedDown, assertNoSidewaysScroll, assertNothingInline } from './checks.mjs';
import { Person } from '../world/person.mjs';
import { approvedElsewhere, refresh } from './client.mjs';
import { BORN, invited, joinUrl, joins } from './invitation.mjs';
import { ORGANISATION, TEAM, login } from '../world/world.mjs';
import { codeOf, secretOn } from './authenticator.mjs';
import { DESKTOP, PHONE, Stage, fillIn, press, signIn } from './stage.mjs';

let stage;
let invitation;
before(async () => {
  stage = await Stage.open();
  await joins(stage, await invited(stage, '9990000042'), 'joined@mail.example', 'lantern-otter-quilt-90');
  invitation = await invited(stage, '9990000034');
  stage.service.cli('organisation', 'change', ORGANISATION, '--invitation-proof', 'paper');
  await measures(await approvedElsewhere(stage, 'amina'));
  stage.service.cli('consent', 'set', 'amina-osei', '--carer', 'ben', '--labels', 'GENERAL_HEALTH');
  await writes(await approvedElsewhere(stage, 'amina'));
  await approvedElsewhere(stage, 'amina', 'patient-app');
  await usedByThieves(stage, 'amina');
  await new Person(stage.base, 'amina').signsIn();
  const coordinator = new Person(stage.base, 'coordinator');
  await coordinator.signsIn();
  await coordinator.grants('clinic-link');
  await stage.visit({}, emergency);
  stage.canBeOpened('tide-round', 'Tide Round');
});
after(() => stage?.close());

/** A clinician opens a record in an emergency, so that there is something to oversee. */
async function emergency(page) {
  await signIn(page, stage.base, 'dr.lindqvist');
  await page.goto(`${stage.base}/teams/${TEAM}/patients/ben-ferrar/emergency`);
  await page.fill('input[name=reason]', 'Found on the floor');
  await press(page, 'form:has(input[name=reason]) button');
}

/** A few measurements that an app wrote down, so that the record has something to show, and a chart. */
async function measures({ access_token: access }) {
  const all = [61, 63.5, 62].map((value, at) => ({ apiRef: 'weight', value, dateTaken: `2026-0${at + 1}-01`, comment: 'at home' }));
  const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
  const made = await fetch(`${stage.base}/json/measurements`, { method: 'POST', headers, body: JSON.stringify(all) });
  assert.equal(made.status, 201, await made.text());
}

/** A message from an app to the patient's team, so that there is a conversation. */
async function writes({ access_token: access }) {
  const message = { subject: 'Mask', content: 'It leaks.', recipients: [{ type: 'TEAM', id: TEAM }] };
  const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
  const sent = await fetch(`${stage.base}/json/messages`, { method: 'POST', headers, body: JSON.stringify(message) });
  assert.equal(sent.status, 201, await sent.text());
}

/** An app whose old refresh token was used again: its access is over, and the pages say why. */
async function usedByThieves(at, username) {
  const { refresh_token: old } = await approvedElsewhere(at, username);
  await refresh(at, old);
  await refresh(at, old);
}

const signedIn = new Map();

/** Signs in, or goes on where the same person has signed in before: what is looked at here is the pages, not the way there. */
async function isHere(page, username) {
  const context = page.context();
  if (signedIn.has(username)) return context.addCookies(signedIn.get(username));
  await signIn(page, stage.base, username);
  return signedIn.set(username, await context.cookies());
}

/** Opens a page as somebody who is signed in. */
const as = (username, path) => async (page) => {
  await isHere(page, username);
  return page.goto(`${stage.base}${path}`);
};

/** The page that follows a right code, token and date of birth. */
async function opensInvitation(page) {
  await page.goto(joinUrl(stage, invitation, 'carla@mail.example'));
  for (const [name, text] of Object.entries(BORN)) await page.fill(`input[name=${name}]`, text);
  await press(page, 'form button');
}

const JOINED = { username: 'joined@mail.example', password: 'lantern-otter-quilt-90' };

/** Begins to set a second factor up. */
async function setsUp(page, { username, password } = { username: 'ben', password: login('ben').password }) {
  await (username === 'ben' ? isHere(page, 'ben') : null);
  await open('/second-factor')(page);
  await page.fill('input[name=password]', password);
  await press(page, 'button[value=set-up]');
}

/** Signs somebody in who has a second factor, and sets it up the first time. */
async function hasAFactor(page) {
  const context = page.context();
  if (signedIn.has(JOINED.username)) return context.addCookies(signedIn.get(JOINED.username));
  await open('/sign-in')(page);
  await fillIn(page, JOINED.username, JOINED.password);
  await press(page, 'form:has(input[name=password]) button');
  await setsUp(page, JOINED);
  await page.fill('input[name=code]', codeOf(await secretOn(page)));
  await press(page, 'form[action$=confirm] button');
  return signedIn.set(JOINED.username, await context.cookies());
}

/** Opens where the first such link leads. */
async function follows(page, link) {
  return page.goto(stage.base + await page.locator(link).first().getAttribute('href'));
}

const open = (path) => (page) => page.goto(`${stage.base}${path}`);

const PAGES = {
  'the authorization page': (page) => page.goto(stage.authorizeUrl()),
  'the authorization page of somebody who looks first': async (page) => {
    await page.goto(stage.authorizeUrl());
    await fillIn(page, 'amina');
    await press(page, 'button[value=look]');
    await page.locator('summary').click();
  },
  'the authorization page of a carer, who chooses a record': async (page) => {
    await page.goto(stage.authorizeUrl());
    await fillIn(page, 'ben');
    await press(page, 'button[value=approve]');
    await page.check('input[name=record][value=amina-osei]');
  },
  'the authorization page of a SMART app, with a line unticked': async (page) => {
    await page.goto(stage.smartUrl('tide-chart', 'launch/patient openid fhirUser offline_access patient/*.rs'));
    await page.uncheck('input[value=offline_access]');
  },
  'the authorization page of a SMART app for somebody who looks first': async (page) => {
    await page.goto(stage.smartUrl('tide-chart', 'launch/patient openid patient/Observation.rs'));
    await fillIn(page, 'amina');
    await press(page, 'button[value=look]');
  },
  'the page on which a clinician picks a patient': async (page) => {
    await page.goto(stage.smartUrl('tide-ward', 'launch/patient openid patient/*.rs'));
    await fillIn(page, 'dr.lindqvist');
    await press(page, 'button[value=approve]');
    await page.fill('input[name=q]', 'nobody of this name');
    await press(page, 'button[value=look]');
  },
  'the authorization error page': (page) => page.goto(stage.authorizeUrl({ client_id: 'nobody' })),
  'the sign-in page': open('/sign-in'),
  'the sign-in page after a wrong password': async (page) => {
    await page.goto(`${stage.base}/sign-in`);
    await fillIn(page, 'ben', 'not the password');
    await press(page, 'form:has(input[name=password]) button');
  },
  'the coordinator\'s page': async (page) => {
    await isHere(page, 'coordinator');
    return open('/coordinator/api-access')(page);
  },
  'the coordinator\'s page with a new refresh token': async (page) => {
    await isHere(page, 'coordinator');
    await open('/coordinator/api-access')(page);
    await page.fill('input[name=client_id]', 'clinic-link');
    await press(page, 'form:has(input[name=client_id]) button');
    await page.check('input[value=replace]');
    await press(page, 'form:has(input[name=check]) button');
  },
  'the coordinator\'s page after an unknown Client ID': as('coordinator', '/coordinator/api-access/check?client_id=nobody'),
  'the check before a grant': as('coordinator', '/coordinator/api-access/check?client_id=clinic-link'),
  'the check before a grant, undecided': async (page) => {
    await as('coordinator', '/coordinator/api-access/check?client_id=clinic-link')(page);
    await page.evaluate(() => document.querySelector('form:has([name=check])').setAttribute('novalidate', ''));
    await press(page, 'form:has(input[name=check]) button');
  },
  'the history of grants': as('coordinator', '/coordinator/api-access/history'),
  'the patients\' accounts': as('coordinator', '/coordinator/accounts'),
  'the paper with a further code': async (page) => {
    await as('coordinator', '/coordinator/accounts')(page);
    await press(page, 'form[action*="/paper/"] button');
  },
  'home, of nobody': open('/'),
  'home, of a patient': as('amina', '/'),
  'home, of a patient with nothing': as('ben', '/'),
  'home, of a clinician': as('dr.lindqvist', '/'),
  'home, of a coordinator': as('coordinator', '/'),
  'my record': as('amina', '/record'),
  'a section of my record': as('amina', '/record/measurements'),
  'a section of my record with nothing in it': as('ben', '/record/journal'),
  'a measurement over time': as('amina', '/record/measurements?of=weight'),
  'my letters': as('amina', '/record/letters'),
  'a letter before it is opened': async (page) => {
    await as('amina', '/record/letters')(page);
    return follows(page, 'a[href^="/record/letters/"]');
  },
  'my messages': as('amina', '/record/messages'),
  'writing a message': as('amina', '/record/messages/new'),
  'a message that was refused': async (page) => {
    await as('amina', '/record/messages/new')(page);
    await page.locator('select[name=to]').evaluate((field) => { field.required = false; });
    await page.fill('textarea[name=text]', 'It leaks.');
    await press(page, 'form:has(textarea) button');
  },
  'a conversation': async (page) => {
    await as('amina', '/record/messages')(page);
    return follows(page, 'a[href^="/record/messages/"]:not([href$="/new"])');
  },
  'choosing what I measured': as('amina', '/record/measurements/new'),
  'adding a measurement': as('amina', '/record/measurements/new?of=bloodPressure'),
  'a measurement that was refused': async (page) => {
    await as('amina', '/record/measurements/new?of=weight')(page);
    await page.fill('input[name=value]', '71,5');
    await press(page, 'form:has(input[name=value]) button');
  },
  'correcting a measurement of mine': async (page) => {
    await as('amina', '/record/measurements?of=weight')(page);
    return follows(page, 'a[href^="/record/measurements/"]:not([href*="/new"])');
  },
  'writing into my journal': as('amina', '/record/journal/new'),
  'with whom my record is shared': as('amina', '/sharing'),
  'what one of them sees': async (page) => {
    await as('amina', '/sharing')(page);
    await press(page, 'table a.button');
  },
  'why one of them sees it': async (page) => {
    await as('amina', '/sharing')(page);
    await press(page, 'table a.button');
    await press(page, 'a[href$="/why"]');
  },
  'inviting a carer': as('amina', '/sharing/carer'),
  'inviting a carer who is not known': async (page) => {
    await as('amina', '/sharing/carer')(page);
    await page.fill('input[name=email]', 'nobody');
    await press(page, 'form:has(input[name=email]) button');
  },
  'the patients of a team': as('dr.lindqvist', `/teams/${TEAM}`),
  'the patients of a team, none found': as('dr.lindqvist', `/teams/${TEAM}?q=nobody`),
  'a patient of a team': as('dr.lindqvist', `/teams/${TEAM}/patients/amina-osei`),
  'a section of the record of a patient': as('dr.lindqvist', `/teams/${TEAM}/patients/amina-osei/measurements?of=weight`),
  'a section with nothing in it of a patient': as('dr.lindqvist', `/teams/${TEAM}/patients/amina-osei/journal`),
  'a letter of a patient': async (page) => {
    await as('dr.lindqvist', `/teams/${TEAM}/patients/amina-osei/letters`)(page);
    return follows(page, 'a[href*="/letters/"]');
  },
  'opening a record in an emergency': as('dr.lindqvist', `/teams/${TEAM}/patients/amina-osei/emergency`),
  'opening the record of nobody in an emergency': async (page) => {
    await as('dr.lindqvist', `/teams/${TEAM}/emergency`)(page);
    await page.fill('input[name=number]', '0');
    await press(page, 'form:has(input[name=number]) button');
  },
  'a record that is open in an emergency': async (page) => {
    await as('dr.lindqvist', `/teams/${TEAM}/patients/ben-ferrar/emergency`)(page);
    await page.fill('input[name=reason]', 'Found on the floor');
    await press(page, 'form:has(input[name=reason]) button');
  },
  'what a clinician looked at': as('dr.lindqvist', '/looks'),
  'home, of a privacy officer': as('officer', '/'),
  'oversight': as('officer', '/officer'),
  'oversight, a number of nobody': async (page) => {
    await as('officer', '/officer')(page);
    await page.fill('input[name=number]', '0');
    await press(page, 'form:has(input[name=number]) button');
  },
  'what was seen in an emergency': async (page) => {
    await as('officer', '/officer')(page);
    await press(page, 'a[href^="/officer/emergencies/"]');
  },
  'the sharing of a patient': as('officer', '/officer/patients/amina-osei'),
  'the sharing of a patient, a state without a reason': async (page) => {
    await as('officer', '/officer/patients/amina-osei')(page);
    await page.fill('input[name=reason]', ' ');
    await press(page, 'button[value=freeze]');
  },
  'who looked at a record': as('officer', '/officer/patients/amina-osei/looks'),
  'home, of an administrator': as('admin', '/'),
  'administration': as('admin', '/admin'),
  'accounts': as('admin', '/admin/users'),
  'an account': async (page) => {
    await as('admin', '/admin/users?q=ben')(page);
    await press(page, 'a[href^="/admin/users/"]');
  },
  'accounts, one that cannot be added': async (page) => {
    await as('admin', '/admin/users')(page);
    for (const [name, text] of [['username', 'amina'], ['name', 'X'], ['password', 'short']]) await page.fill(`input[name=${name}]`, text);
    await press(page, 'form:has(input[name=username]) button');
  },
  'clients': as('admin', '/admin/clients'),
  'a client': as('admin', '/admin/clients/clinic-link'),
  'a client with a new secret': async (page) => {
    await as('admin', '/admin/clients/letter-sender')(page);
    await press(page, 'button[value=rotate]');
  },
  'organisations and teams': as('admin', '/admin/organisations'),
  'notices': as('amina', '/notices'),
  'notices of a carer': as('ben', '/notices'),
  'notices of a coordinator': as('coordinator', '/notices'),
  'the access log': as('amina', '/access-log'),
  'the access log when nobody looked': as('ben', '/access-log'),
  'where one is signed in': as('amina', '/sign-ins'),
  'where one is signed in, nowhere else': async (page) => {
    await as('ben', '/sign-ins')(page);
    if (await page.locator('form[action$="/end-others"]').count() > 0) await press(page, 'form[action$="/end-others"] button');
  },
  'the sign-in page after signing out': open('/sign-in?why=signed-out'),
  'the sign-in page after a long time away': open('/sign-in?why=timed-out'),
  'the check before an app is disconnected': async (page) => {
    await as('amina', '/connected-apps')(page);
    await press(page, 'a:has-text("Disconnect")');
  },
  'an error page of somebody who is signed in': as('amina', '/coordinator/api-access'),
  'apps to open': as('amina', '/apps'),
  'an app to open': as('amina', '/apps/tide%2Dround'),
  'apps to open for a patient': async (page) => {
    await as('dr.lindqvist', `/teams/${TEAM}/patients/amina-osei`)(page);
    await press(page, 'a[href^="/apps?"]');
  },
  'apps to open when there are none': as('coordinator', '/apps'),
  'the question whether to sign out for an app': as('amina', '/apiLogout.action?client_id=tide-round'),
  'a request to sign out that leads nowhere': as('amina', '/apiLogout.action?post_logout_redirect_uri=https://evil.example/'),
  'connected apps': async (page) => {
    await isHere(page, 'amina');
    return open('/connected-apps')(page);
  },
  'connected apps when there are none': async (page) => {
    await isHere(page, 'ben');
    return open('/connected-apps')(page);
  },
  'the password page': async (page) => {
    await isHere(page, 'ben');
    return open('/password')(page);
  },
  'the password page after a password that may not be chosen': async (page) => {
    await isHere(page, 'ben');
    await open('/password')(page);
    for (const [name, text] of [['password', 'x'], ['new_password', 'short'], ['repeated', 'short']]) await page.fill(`input[name=${name}]`, text);
    await press(page, 'form:has(input[name=new_password]) button');
  },
  'the password page after several faults': async (page) => {
    await isHere(page, 'ben');
    await open('/password')(page);
    for (const [name, text] of [['password', 'x'], ['new_password', 'short'], ['repeated', 'other']]) await page.fill(`input[name=${name}]`, text);
    await press(page, 'form:has(input[name=new_password]) button');
  },
  'the page of a forgotten password, without mail': open('/forgotten-password'),
  'a link for a new password that is over': open('/new-password/rgl_0_x'),
  'the account of a patient': as('amina', '/account'),
  'the account of a coordinator': as('coordinator', '/account'),
  'the account, with a link that is over': as('amina', '/account/confirm/rgl_0_x'),
  'closing an account': as('amina', '/account/close'),
  'closing an account with a wrong password': async (page) => {
    await as('amina', '/account/close')(page);
    await page.fill('input[name=password]', 'not the password');
    await press(page, 'form:has(input[name=password]) button');
  },
  'the sign-in page after a new password': open('/sign-in?why=password-changed'),
  'the sign-in page after closing an account': open('/sign-in?why=account-closed'),
  'the page of the second factor': as('ben', '/second-factor'),
  'the page on which a second factor is set up': setsUp,
  'the page on which a second factor is set up, after a wrong code': async (page) => {
    await setsUp(page);
    await page.fill('input[name=code]', '000000');
    await press(page, 'form[action$=confirm] button');
  },
  'the page of a second factor that is there': async (page) => {
    await hasAFactor(page);
    return open('/second-factor')(page);
  },
  'the page with new recovery codes': async (page) => {
    await hasAFactor(page);
    await open('/second-factor')(page);
    await page.fill('input[name=password]', JOINED.password);
    await press(page, 'button[value=codes]');
  },
  'the page that asks for a code': async (page) => {
    await hasAFactor(page);
    await page.context().clearCookies();
    await open('/sign-in')(page);
    await fillIn(page, JOINED.username, JOINED.password);
    await press(page, 'form:has(input[name=password]) button');
  },
  'the authorization page that asks for a code': async (page) => {
    await hasAFactor(page);
    await page.goto(stage.authorizeUrl());
    await fillIn(page, JOINED.username, JOINED.password);
    await press(page, 'button[value=approve]');
  },
  'the page of a link that resets a second factor': open('/second-factor/reset?link=nobodys'),
  'the page of an invitation': open('/join?t1=7K3M-9QXT-B2WD'),
  'the page of an invitation after a wrong code': async (page) => {
    await open('/join?t1=nobodys&t2=none')(page);
    for (const [name, text] of Object.entries(BORN)) await page.fill(`input[name=${name}]`, text);
    await press(page, 'form button');
  },
  'the page of an invitation that is open': opensInvitation,
  'the page of an invitation that is open, after a password that may not be chosen': async (page) => {
    await opensInvitation(page);
    for (const name of ['password', 'repeated']) await page.fill(`input[name=${name}]`, 'short');
    await page.fill('input[name=paper]', 'none');
    await press(page, 'form button');
  },
  'the sign-in page after making an account': open('/sign-in?why=account-made'),
  'the documentation': open('/docs'),
  'a page that is not there': open('/no-such-page'),
};

const SAME_TO_EVERYBODY = new Set(['the documentation']);

/** Waits for the transitions of colours that another scheme begins. */
async function isStill(page) {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)));
}

// A state is reached once: the styles follow the width and the colour scheme without another visit.
for (const [name, show] of Object.entries(PAGES)) {
  test(`${name}, on phone and desktop, light and dark`, () => stage.visit({ viewport: PHONE, colorScheme: 'light' }, async (page) => {
    const answers = [];
    page.on('response', (answer) => { if (answer.request().resourceType() === 'document') answers.push(answer); });
    await show(page);
    assertLockedDown(answers.at(-1).headers(), SAME_TO_EVERYBODY.has(name) ? /^public/ : undefined);
    await assertNothingInline(page);
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await isStill(page);
        await assertAccessible(page);
      }
    }
    await assertNoSidewaysScroll(page);
  }));
}

test('the check itself finds pale text and a field without a name', () => stage.visit({}, async (page) => {
  await page.setContent('<!doctype html><html lang="en"><title>t</title><main><h1>h</h1><p style="color:#aaa">pale</p><input></main>');
  await assert.rejects(assertAccessible(page), (error) => /color-contrast/.test(error.message) && /label:/.test(error.message));
}));

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
