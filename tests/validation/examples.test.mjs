// HL7's examples are accepted, by us and by Medplum alike; exceptions are listed by name.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MEDPLUM_ALONE, REFUSED } from './exceptions.mjs';
import { NAMES, path, text } from './examples.mjs';
import { medplum, ours } from './judges.mjs';

const LARGEST = 300_000;
const verdicts = new Map(ours(NAMES.map(path)).map((issues, at) => [NAMES[at], issues]));

test('the package has the examples that were looked at', () => assert.equal(NAMES.length, 5306));

test('every example is accepted, but for those that are listed', () => {
  const refused = [...verdicts].filter(([, issues]) => issues.length > 0).map(([name]) => name);
  assert.deepEqual(refused, Object.keys(REFUSED).sort());
});

for (const [name, [element, reason]] of Object.entries(REFUSED)) {
  test(`${name} is refused: ${reason}`, () => assert.equal(verdicts.get(name)[0].expression, element));
}

test('what Medplum refuses is refused, but for what is listed', () => {
  // The largest take Medplum a minute, and are more of the same.
  const looked = NAMES.map((name) => [name, text(name)]).filter(([, resource]) => resource.length < LARGEST);
  const alone = [];
  for (const [name, resource] of looked) {
    if (medplum(JSON.parse(resource)).length > 0 && verdicts.get(name).length === 0) alone.push(name);
  }
  assert.ok(looked.length > 5000);
  assert.deepEqual(alone, Object.keys(MEDPLUM_ALONE).filter((name) => text(name).length < LARGEST).sort());
});
