// A person at a browser without script, by fetch alone: fills in the service's forms and tells where they lead.
import { login } from './world.mjs';

export class Person {
  constructor(base, username) {
    this.base = base;
    // What the browser takes itself to be talking to; behind a proxy that is not the address it connects to.
    this.origin = base;
    this.login = login(username);
    this.cookies = new Map();
    this.cookiesHeard = [];
  }

  /** Fills in the authorization page; returns the address that it redirects to. */
  async decides(authorizationUrl, decision = 'approve', told = this.login) {
    const page = await this.open(authorizationUrl);
    let landed = await this.submit(page, 'decision', { ...told, decision });
    // Whoever cares for somebody is asked whose record it shall be; the own one is ticked.
    const own = /<input[^>]*name="record"[^>]*value="([^"]*)"[^>]* checked/.exec(landed.text);
    if (landed.status === 200 && own) landed = await this.submit(landed, 'decision', { record: own[1], decision });
    const location = landed.headers.get('location');
    if (!location) throw new Error(`no redirect but ${landed.status}: ${landed.text}`);
    return new URL(location);
  }

  async signsIn() {
    return this.submit(await this.open('/sign-in'), 'password', this.login);
  }

  /** A signed-in Team Coordinator grants a client access; returns the refresh token that is shown once. */
  async grants(clientId) {
    const check = await this.open(`/coordinator/api-access/check?${new URLSearchParams({ client_id: clientId })}`);
    const shown = await this.submit(check, 'check', { existing: 'keep' });
    return /<output[^>]*id="refresh-token"[^>]*>\s*([^<\s]+)\s*<\/output>/.exec(shown.text)[1];
  }

  async open(path, form) {
    let url = new URL(path, this.base);
    for (let hops = 0; hops < 5; hops += 1) {
      const page = await this.once(url, form);
      const location = page.headers.get('location');
      const next = location && new URL(location, url);
      if (!next || ![this.base, this.origin].includes(next.origin)) return page;
      url = new URL(next.pathname + next.search, this.base);
      form = undefined;
    }
    throw new Error(`${path} redirects in a circle`);
  }

  async once(url, form) {
    const headers = { accept: 'text/html', cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const answer = await fetch(url, { method: form ? 'POST' : 'GET', headers, body: form, redirect: 'manual' });
    for (const cookie of answer.headers.getSetCookie()) {
      this.cookiesHeard.push(cookie);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
      this.cookies.set(name, value);
    }
    return { url, status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** Posts the page's form that has the named field, with its hidden fields, what is ticked on it, and what was filled in. */
  submit(page, field, filled) {
    const form = [...page.text.matchAll(/<form\b[^>]*>.*?<\/form>/gs)].map(([text]) => text).find((text) => text.includes(`name="${field}"`));
    if (!form) throw new Error(`${page.url} (${page.status}) has no form with ${field}: ${page.text}`);
    const fields = new URLSearchParams();
    for (const [input] of form.matchAll(/<input\b[^>]*>/g)) {
      const isSent = attribute(input, 'type') === 'hidden' || (attribute(input, 'type') === 'checkbox' && / checked\b/.test(input));
      if (isSent) fields.set(attribute(input, 'name'), attribute(input, 'value') ?? '');
    }
    for (const [name, value] of Object.entries(filled)) fields.set(name, value);
    return this.open(new URL(attribute(form, 'action') ?? '', page.url), fields);
  }
}

function attribute(tag, name) {
  const found = new RegExp(`^<[^>]*\\s${name}="([^"]*)"`).exec(tag);
  return found?.[1].replaceAll('&amp;', '&').replaceAll('&#38;', '&').replaceAll('&quot;', '"').replaceAll('&#34;', '"');
}
