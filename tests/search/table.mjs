// The records and the table of queries, as this suite reads them.
import { readFileSync } from 'node:fs';

const BASE = 'http://records.test/fhir';
const file = (name) => readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll('{base}', BASE);

/** What the organisation that asks has stored, and what of elsewhere is a directory or a definition, which everybody sees. */
export const records = ['first', 'elsewhere', 'later'].flatMap((name) => {
  const all = file(`${name}.ndjson`).trimEnd().split('\n').map((line) => JSON.parse(line));
  return name === 'elsewhere' ? all.filter(({ resourceType }) => ['Organization', 'ValueSet'].includes(resourceType)) : all;
});

/** The lines whose answer is a set of matches: what comes along, pages, numbers and refusals are not for everybody. */
export const lines = file('queries.txt').split('\n').filter((line) => line && !line.startsWith('#')).map((line) => {
  const [query, expected] = line.split(' => ');
  return { query, expected };
}).filter(({ query, expected }) => !/^(\d|total)/.test(expected) && !/[?&](_include|_revinclude|_count|_sort)/.test(query))
  .map(({ query, expected }) => ({ query, ids: expected.split(' ').filter((id) => id !== 'none').sort() }));
