// The service behind a recorder, and a patient's access token for it.
import { Person } from '../../world/person.mjs';
import { Service } from '../../world/service.mjs';
import { Recorder } from './recorder.mjs';

// Nothing listens here: the redirect is read off the answer. The client is registered without the port.
const REDIRECT = 'http://127.0.0.1:49162/callback';
const APP = 'strict-app';

export class Session {
  static async begin() {
    const session = new Session();
    session.recorder = await Recorder.listen();
    session.base = session.recorder.url;
    session.service = await Service.start({ baseUrl: session.base });
    session.recorder.port = session.service.port;
    session.token = await session.approved('amina');
    return session;
  }

  /** The access token of an app that this person lets in. */
  async approved(username) {
    const asked = new URLSearchParams({ response_type: 'code', client_id: APP, redirect_uri: REDIRECT, scope: 'PATIENT', state: 's' });
    const landed = await new Person(this.base, username).decides(`${this.base}/apiAuthorize.action?${asked}`);
    const form = { grant_type: 'authorization_code', code: landed.searchParams.get('code'), redirect_uri: REDIRECT, client_id: APP };
    const answer = await fetch(`${this.base}/apiToken.action`, { method: 'POST', body: new URLSearchParams(form) });
    if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${await answer.text()}`);
    return (await answer.json()).access_token;
  }

  async end() {
    await this.recorder?.close();
    await this.service?.stop();
  }
}
