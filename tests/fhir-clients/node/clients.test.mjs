// Three FHIR clients from npm, unmodified, do what apps do; and Medplum's validator reads every answer that they got.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fhirKit } from './fhir-kit.mjs';
import { medplumClient } from './medplum.mjs';
import { Session } from './session.mjs';
import { smartClient } from './smart.mjs';
import { faults } from './validator.mjs';

const TYPE = 'Observation';
const CLIENTS = { 'fhir-kit-client': fhirKit, fhirclient: smartClient, '@medplum/core': medplumClient };

let session;
before(async () => { session = await Session.begin(); });
after(() => session?.end());

/** A weight as an app writes it; `code` tells the tests' own from each other's. */
function weight(code, value) {
  return {
    resourceType: TYPE, status: 'final', code: { coding: [{ system: 'urn:apps', code }] },
    subject: { reference: 'Patient/amina-osei' }, effectiveDateTime: '2026-11-01',
    valueQuantity: { value, unit: 'kg', system: 'http://unitsofmeasure.org', code: 'kg' },
  };
}

const values = (bundle) => (bundle.entry ?? []).map(({ resource }) => resource.valueQuantity.value);

for (const [name, made] of Object.entries(CLIENTS)) {
  describe(name, () => {
    let client;
    before(() => { client = made(session); });

    test('creates and reads', async () => {
      const { id } = await client.create(weight(`${name}-read`, 70.5));
      const read = await client.read(TYPE, id);
      assert.deepEqual([read.id, read.valueQuantity.value, read.meta.versionId], [id, 70.5, '1']);
    });

    test('updates, and reads the version before and the history', async () => {
      const created = await client.create(weight(`${name}-update`, 70));
      const updated = await client.update({ ...created, valueQuantity: { ...created.valueQuantity, value: 71 } });
      assert.deepEqual([updated.id, updated.valueQuantity.value, updated.meta.versionId], [created.id, 71, '2']);
      assert.equal((await client.vread(TYPE, created.id, '1')).valueQuantity.value, 70);
      assert.deepEqual(values(await client.history(TYPE, created.id)), [71, 70]);
    });

    test('patches', async () => {
      const { id } = await client.create(weight(`${name}-patch`, 70));
      const patched = await client.patch(TYPE, id, [{ op: 'replace', path: '/valueQuantity/value', value: 72 }]);
      assert.equal(patched.valueQuantity.value, 72);
      assert.equal((await client.read(TYPE, id)).valueQuantity.value, 72);
    });

    test('deletes, and hears that it is gone', async () => {
      const { id } = await client.create(weight(`${name}-delete`, 70));
      await client.remove(TYPE, id);
      await assert.rejects(client.read(TYPE, id), (error) => client.status(error) === 410);
      await assert.rejects(client.read(TYPE, 'nothing-of-that-name'), (error) => client.status(error) === 404);
    });

    test('searches, and goes from page to page', async () => {
      const code = `${name}-search`;
      for (const value of [1, 2, 3, 4, 5]) await client.create(weight(code, value));
      const asked = { code: `urn:apps|${code}`, patient: 'amina-osei' };
      assert.deepEqual(values(await client.search(TYPE, { ...asked, 'value-quantity': 'gt3' })), [5, 4]);
      const pages = [];
      for (let page = await client.search(TYPE, { ...asked, _count: '2' }); page; page = await client.next(page)) pages.push(values(page));
      assert.deepEqual(pages, [[5, 4], [3, 2], [1]]);
    });

    test('creates only what is not there yet', async () => {
      const identifier = { system: 'urn:apps:readings', value: name };
      const once = { ...weight(`${name}-once`, 70), identifier: [identifier] };
      const query = `identifier=${identifier.system}|${identifier.value}`;
      const first = await client.createUnless(once, query);
      const again = await client.createUnless(once, query);
      assert.equal(again.id, first.id);
      assert.equal((await client.search(TYPE, { identifier: `${identifier.system}|${identifier.value}` })).entry.length, 1);
    });

    test('sends a batch, of which each entry is answered on its own', async () => {
      const created = await client.create(weight(`${name}-batch`, 70));
      const answer = await client.batch({
        resourceType: 'Bundle',
        type: 'batch',
        entry: [
          { request: { method: 'GET', url: `${TYPE}/${created.id}` } },
          { request: { method: 'GET', url: `${TYPE}/nothing-of-that-name` } },
          { resource: weight(`${name}-batch`, 71), request: { method: 'POST', url: TYPE } },
        ],
      });
      assert.deepEqual(answer.entry.map(({ response }) => response.status.slice(0, 3)), ['200', '404', '201']);
      assert.equal(answer.entry[0].resource.id, created.id);
    });

    test('sends a transaction, whose entries refer to each other, and of which all is stored or nothing', async () => {
      const [first, second] = ['urn:uuid:0b9f6c1e-6f0a-4f6e-9d5e-2f1b7d8c9a01', 'urn:uuid:0b9f6c1e-6f0a-4f6e-9d5e-2f1b7d8c9a02'];
      const sent = (panel) => ({
        resourceType: 'Bundle',
        type: 'transaction',
        entry: [
          { fullUrl: first, resource: { ...panel, hasMember: [{ reference: second }] }, request: { method: 'POST', url: TYPE } },
          { fullUrl: second, resource: weight(`${name}-member`, 71), request: { method: 'POST', url: TYPE } },
        ],
      });
      const answer = await client.transaction(sent(weight(`${name}-panel`, 70)));
      assert.deepEqual(answer.entry.map(({ response }) => response.status.slice(0, 3)), ['201', '201']);
      const members = () => client.search(TYPE, { code: `urn:apps|${name}-member` });
      const [member] = (await members()).entry;
      const panel = (await client.search(TYPE, { code: `urn:apps|${name}-panel` })).entry[0].resource;
      assert.equal(panel.hasMember[0].reference, `${TYPE}/${member.resource.id}`);
      await assert.rejects(client.transaction(sent({ ...weight(`${name}-panel`, 70), status: 'no-such-status' })));
      assert.equal((await members()).entry.length, 1, 'nothing of it is stored');
    });

    test('reads everything about a patient, page by page', async () => {
      const { id } = await client.create(weight(`${name}-everything`, 70));
      const ids = [];
      for (let page = await client.everything('amina-osei'); page; page = await client.next(page)) ids.push(...page.entry.map(({ resource }) => resource.id));
      assert.ok(ids.includes('amina-osei') && ids.includes('letter-1') && ids.includes(id), ids.join(' '));
      assert.ok(!ids.includes('ben-ferrar'), 'nobody else');
    });
  });
}

test('every answer that the clients got is valid by Medplum\'s validator', () => {
  assert.notDeepEqual(faults({ resourceType: TYPE }), [], 'it tells what is wrong');
  const { answers } = session.recorder;
  assert.ok(answers.length > 50, `${answers.length} answers`);
  const wrong = answers.flatMap(({ to, status, resource }) => faults(resource).map((fault) => `${to} (${status}): ${fault}`));
  assert.deepEqual(wrong, []);
});
