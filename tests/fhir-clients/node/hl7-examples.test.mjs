// HL7's examples, POSTed one by one by a System Client: each is stored, or refused for a reason that is listed by name.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { NAMES, load } from '../../validation/examples.mjs';
import { REFUSED } from '../../validation/exceptions.mjs';
import { ORGANISATION, client } from '../../world/world.mjs';
import { Service } from '../../world/service.mjs';
import { BY_TYPE, UNSTORED } from './hl7-unstored.mjs';

const CLIENT = 'letter-sender';
const AT_ONCE = 8;

let service;
let headers;
let named;
let own;

before(async () => {
  // Reading them all takes longer than a server waits on an idle connection.
  named = patients();
  own = new Map(NAMES.filter((name) => name.startsWith('Patient-')).map((name) => [load(name).id, load(name)]));
  service = await Service.start({});
  // Who moves in keeps the ids, so that what the examples say about patients finds them.
  service.cli('organisation', 'grant', ORGANISATION, CLIENT, '--client-ids', 'any');
  const form = { grant_type: 'client_credentials', client_id: CLIENT, client_secret: client(CLIENT).secret };
  const answer = await fetch(`${service.base}/apiToken.action`, { method: 'POST', body: new URLSearchParams(form) });
  assert.equal(answer.status, 200);
  const { access_token: token } = await answer.json();
  headers = { authorization: `Bearer ${token}`, 'x-org-public-id': ORGANISATION, 'content-type': 'application/fhir+json' };
});
after(() => service?.stop());

const send = async (method, path, resource) => {
  const answer = await fetch(`${service.base}/fhir/${path}`, { method, headers, body: JSON.stringify(resource) });
  if (answer.status === 503) {
    // Too much under way at once: the largest of them are as much as one caller may send.
    await answer.body?.cancel();
    await pause(1000 * Number(answer.headers.get('retry-after') ?? 1));
    return send(method, path, resource);
  }
  const told = await answer.json();
  return { status: answer.status, why: told.issue?.map(({ diagnostics, expression }) => `${expression ?? ''} ${diagnostics}`) ?? [] };
};

/** Runs `work` for each of them, some at once. */
async function each(all, work) {
  const queue = [...all];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  }));
}

/** The ids of all patients whom the examples name. */
function patients() {
  const named = new Set();
  const visit = (value, of) => {
    if (typeof value === 'string') named.add(/^Patient\/([A-Za-z0-9.-]{1,64})(\/|$)/.exec(of === 'reference' ? value : '')?.[1]);
    else if (value && typeof value === 'object') for (const [name, member] of Object.entries(value)) visit(member, name);
  };
  for (const name of NAMES) visit(load(name), '');
  named.delete(undefined);
  return named;
}

test('every example is stored, or refused for the reason that is listed', { timeout: 900_000 }, async () => {
  await each(named, async (id) => {
    const { status, why } = await send('PUT', `Patient/${id}`, own.get(id) ?? { resourceType: 'Patient', id });
    assert.equal(status, 201, `Patient/${id}: ${why}`);
  });
  const refused = {};
  await each(NAMES, async (name) => {
    const resource = load(name);
    const { status, why } = await send('POST', resource.resourceType, resource);
    if (status !== 201) refused[name] = { status, type: resource.resourceType, why: why.join('; ') };
  });
  const unlisted = [];
  for (const [name, { status, type, why }] of Object.entries(refused)) {
    const [listed, words] = UNSTORED[name] ?? BY_TYPE[type] ?? (REFUSED[name] ? [422, ''] : []);
    if (listed !== status || !why.includes(words)) unlisted.push(`${name}: ${status} ${why}`);
  }
  assert.deepEqual(unlisted.sort(), []);
  const stored = Object.keys({ ...REFUSED, ...UNSTORED }).filter((name) => !(name in refused));
  assert.deepEqual(stored, [], 'listed, and stored all the same');
});
