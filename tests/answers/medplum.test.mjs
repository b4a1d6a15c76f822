// Medplum's validator reads every FHIR answer that the other suites got.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from '../fhir-clients/node/validator.mjs';
import { keptAnswers } from './kept.mjs';

test('every answer is valid by Medplum\'s validator', () => {
  assert.notDeepEqual(faults({ resourceType: 'Observation' }), [], 'it tells what is wrong');
  const answers = keptAnswers();
  assert.ok(answers.length > 500, `${answers.length} answers`);
  const wrong = answers.flatMap(({ to, status, resource }) => faults(resource).map((fault) => `${to} (${status}): ${fault}`));
  assert.deepEqual(wrong.slice(0, 50), [], `${wrong.length} faults`);
});
