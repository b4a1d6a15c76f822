// Broken resources are refused, and what is broken is named: by us, and by Medplum wherever it checks such things.

import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './examples.mjs';
import { medplum, ours } from './judges.mjs';
import { mutations } from './mutations.mjs';
import { TABLE } from './table.mjs';

/** The example with one value changed; undefined takes it away. */
function mutated(name, way, value) {
  const resource = load(name);
  const steps = way.split('.');
  const last = steps.pop();
  const holder = steps.reduce((node, step) => node[step], resource);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return resource;
}

const byHand = TABLE.map(([name, way, value, element, code, alone]) => ({
  what: `${name}: ${way} is ${JSON.stringify(value)?.slice(0, 60)}`, resource: mutated(name, way, value), element, code, alone,
}));
const all = [...byHand, ...mutations()];
const verdicts = ours(all.map(({ resource }) => JSON.stringify(resource)));

test('there are enough mutations, of enough types', () => {
  const types = new Set(all.map(({ resource }) => resource.resourceType));
  assert.ok(byHand.length >= 100 && all.length >= 800 && types.size >= 120, `${byHand.length} ${all.length} ${types.size}`);
});

for (const [at, { what, element, code }] of all.entries()) {
  test(`${what}: ${element} is named`, () => {
    const found = verdicts[at].map((issue) => issue.expression);
    assert.ok(found.includes(element), `${element} is not among ${JSON.stringify(verdicts[at])}`);
    if (code) assert.ok(verdicts[at].some((issue) => issue.expression === element && issue.code === code), JSON.stringify(verdicts[at]));
    // One thing was changed: nothing beside it and what holds it may be blamed.
    const beside = found.filter((other) => !element.startsWith(other) && !other.startsWith(element));
    assert.deepEqual(beside, []);
  });
}

// Choices are `value[x]` to Medplum, and it does not number every item.
const plain = (expression) => expression.replaceAll(/\[\w+\]/g, '');
// Medplum takes an empty array for a required element here, which it refuses everywhere else.
const MISSED = ['EvidenceVariable: characteristic empty'];
const opinions = all.map(({ resource }) => medplum(resource).map(plain));

test('Medplum refuses them too, wherever it checks such things', () => {
  const accepted = all.filter(({ alone }, at) => !alone && opinions[at].length === 0);
  assert.deepEqual(accepted.map(({ what }) => what), MISSED);
});

test('what is marked as checked by us alone is accepted by Medplum', () => {
  const refused = all.filter(({ alone }, at) => alone && opinions[at].length > 0);
  assert.deepEqual(refused.map(({ what }) => what), []);
});

test('where both refuse, both name the same element', () => {
  const agrees = ({ element }, at) => opinions[at].some((other) => plain(element).startsWith(other) || other.startsWith(plain(element)));
  const apart = all.filter((mutation, at) => opinions[at].length > 0 && !agrees(mutation, at));
  assert.deepEqual(apart.map(({ what }) => what), []);
});
