// A second opinion about the table of queries: where Medplum's memory repository supports a query, it finds the same, or the difference is listed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIFFERENCES } from './differences.mjs';
import { found, unsupported } from './opinion.mjs';
import { lines } from './table.mjs';

const listed = new Set(Object.values(DIFFERENCES).flat());
const asked = lines.filter(({ query }) => !unsupported(query));

test('it is asked about at least 400 queries of the table', () => {
  assert.ok(asked.length >= 400, `${asked.length} of ${lines.length}`);
});

test('it finds what the table says, but for the differences that are listed by name, each of which is one', async () => {
  const surprises = [];
  for (const { query, ids } of asked) {
    const other = await found(query).catch((refused) => [refused.message]);
    const same = other.join(' ') === ids.join(' ');
    if (same === listed.has(query)) surprises.push(`${query}: the table says [${ids.join(' ')}], it says [${other.join(' ')}]`);
  }
  assert.deepEqual(surprises, []);
});

test('every difference is about a query of the table, once', () => {
  const queries = new Set(asked.map(({ query }) => query));
  assert.deepEqual([...listed].filter((query) => !queries.has(query)), []);
  assert.equal(listed.size, Object.values(DIFFERENCES).flat().length);
});
