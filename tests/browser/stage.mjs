// One test file's stage: the service, Chromium, a client's redirect URI, and visitors with fresh profiles.
import { Service } from '../world/service.mjs';
import { login } from '../world/world.mjs';
import { launch } from './chromium.mjs';
import { Landing } from './landing.mjs';

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 900 };

const WAIT_MS = 10_000;

export class Stage {
  static async open(service = {}) {
    const stage = new Stage();
    try {
      stage.service = await Service.start(service);
      stage.base = stage.service.base;
      stage.landing = await Landing.open();
      stage.browser = await launch();
    } catch (failed) {
      await stage.close();
      throw failed;
    }
    return stage;
  }

  async close() {
    await this.browser?.close();
    await this.landing?.close();
    await this.service?.stop();
  }

  /** Gives `use` a page of a new visitor and fails if the page complained on its console. */
  async visit(options, use) {
    const context = await this.browser.newContext({ viewport: PHONE, ...options });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    const complaints = [];
    page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
    page.on('pageerror', (error) => complaints.push(error.message));
    try {
      await use(page, context);
    } finally {
      await context.close();
    }
    // Chromium reports a page of ours that answers 4xx on purpose as a resource that failed to load.
    const unexpected = complaints.filter((text) => !/responded with a status of 4\d\d/.test(text));
    if (unexpected.length > 0) throw new Error(`the console says: ${unexpected.join('; ')}`);
  }

  authorizeUrl(parameters = {}) {
    const query = { response_type: 'code', client_id: 'strict-app', redirect_uri: this.landing.redirect, scope: 'PATIENT', state: 'kept-by-the-app', ...parameters };
    return `${this.base}/apiAuthorize.action?${new URLSearchParams(query)}`;
  }

  /** Registers a SMART app for patients and clinicians that is opened from the pages, at an address of the landing. */
  canBeOpened(clientId, product) {
    const types = ['--user-type', 'PATIENT', '--user-type', 'CLINICIAN'];
    const addresses = ['--redirect-uri', 'http://127.0.0.1/callback', '--launch-url', `${this.landing.origin}/launch`];
    this.service.cli('client', 'add', '--kind', 'user', '--client-id', clientId, '--owner', 'Nightjar Health Ltd', '--product', product, '--smart', ...types, ...addresses);
  }

  /** The request of a SMART app. */
  smartUrl(clientId, scope) {
    const challenge = { code_challenge: 'pHmZ5IsAqqERMYgY9uzj8ISHHG-FApj48qXM5i6RW_Y', code_challenge_method: 'S256' };
    return this.authorizeUrl({ client_id: clientId, scope, aud: `${this.base}/fhir`, ...challenge });
  }
}

export async function fillIn(page, username, password = login(username).password) {
  await page.fill('input[name=username]', username);
  await page.fill('input[name=password]', password);
}

export async function signIn(page, base, username) {
  await page.goto(`${base}/sign-in`);
  await fillIn(page, username);
  await press(page, 'form:has(input[name=password]) button');
}

/** Presses a button and waits for the page that it leads to, with script or without. */
export async function press(page, selector) {
  await Promise.all([page.waitForEvent('load'), page.locator(selector).first().click()]);
}

/** Presses Approve or Deny and returns the address at which the client finds its browser again. */
export async function decide(page, stage, decision) {
  await Promise.all([
    page.waitForURL(`${stage.landing.redirect}?**`),
    page.click(`button[name=decision][value=${decision}]`),
  ]);
  return new URL(page.url());
}
