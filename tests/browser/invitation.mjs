// An invitation to make an account, as an organisation's System Client comes by one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORGANISATION, TEAM, client } from '../world/world.mjs';
import { press } from './stage.mjs';

const NHS_NUMBER = 'https://fhir.nhs.uk/Id/nhs-number';

/** When everybody was born who is invited. */
export const BORN = { day: '1', month: '2', year: '1985' };

/** Writes a new Patient, registers them with the team and invites them: the code and the token of the invitation. */
export async function invited(stage, number) {
  const identifier = { system: NHS_NUMBER, value: number };
  const sender = await System.of(stage);
  const { id } = await sender.post('/fhir/Patient', {
    resourceType: 'Patient', birthDate: '1985-02-01', identifier: [identifier], name: [{ given: ['Carla'], family: 'New' }],
  });
  const declared = join(stage.service.directory, `${number}.toml`);
  writeFileSync(declared, `[[patient]]\nid = "${id}"\nteams = ["${TEAM}"]\n`);
  stage.service.cli('apply', declared);
  const answer = await sender.post('/fhir/Organization/$generate-invitation-tokens', {
    resourceType: 'Parameters', parameter: [{ name: 'patientIdentifier', valueIdentifier: identifier }],
  });
  const part = (name) => answer.parameter[0].part.find((each) => each.name === name).valueString;
  return { code: part('code'), token: part('token') };
}

/** Makes the account of an invitation, in a browser of its own. */
export async function joins(stage, invitation, email, password) {
  await stage.visit({}, async (page) => {
    await page.goto(joinUrl(stage, invitation, email));
    for (const [name, text] of Object.entries(BORN)) await page.fill(`input[name=${name}]`, text);
    await press(page, 'form button');
    for (const name of ['password', 'repeated']) await page.fill(`input[name=${name}]`, password);
    await press(page, 'form button');
  });
}

class System {
  static async of(stage) {
    const { client_id: id, secret } = client('letter-sender');
    const authorization = `Basic ${btoa(`${id}:${secret}`)}`;
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const answer = await fetch(`${stage.base}/apiToken.action`, { method: 'POST', headers: { authorization }, body });
    const system = new System();
    system.base = stage.base;
    system.access = (await answer.json()).access_token;
    return system;
  }

  async post(path, resource) {
    const headers = { authorization: `Bearer ${this.access}`, 'x-org-public-id': ORGANISATION, 'content-type': 'application/fhir+json' };
    const answer = await fetch(`${this.base}${path}`, { method: 'POST', headers, body: JSON.stringify(resource) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }
}

/** The address of the link that an invited patient is sent. */
export function joinUrl(stage, { code, token }, email) {
  return `${stage.base}/join/team-7?${new URLSearchParams({ t1: code, t2: token, e: email })}`;
}
