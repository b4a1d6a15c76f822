// Over all of HL7's examples, for every search parameter of their types: what we extract is what fhirpath finds.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { LEFT_OUT } from './exceptions.mjs';
import { found } from './fhirpath.mjs';
import { extract } from './ours.mjs';

const folder = fileURLToPath(new URL('./node_modules/hl7.fhir.r4.examples/', import.meta.url));
const names = readdirSync(folder).filter((name) => /^[A-Z]\w+-.*\.json$/.test(name)).sort();
const resources = names.map((name) => JSON.parse(readFileSync(folder + name, 'utf8')));
const types = new Set(
  resources
    .filter((one) => one.resourceType === 'StructureDefinition' && one.kind === 'resource' && !one.abstract)
    .map((one) => one.type),
);
const isType = (name) => types.has(name);
const defined = resources.filter((one) => one.resourceType === 'SearchParameter');
const parameters = new Map(defined.map((one) => [one.url, one]));
const compared = defined.filter((one) => one.base && !(one.id in LEFT_OUT));
const extracted = extract(resources);

/** The values as a set, comparable. Base units are judged apart, and the system of a bare code is its binding's. */
function comparable(values, bare) {
  const told = (value) => {
    if ('composite' in value) return { composite: value.composite.map((part) => comparable(part, bare)) };
    if ('quantity' in value) return { quantity: value.quantity };
    return 'token' in value && bare.has(value.token[1]) ? { token: ['*', value.token[1]] } : value;
  };
  return [...new Set(values.map((value) => JSON.stringify(told(value))))].sort();
}

const bareCodes = (values) =>
  values.flatMap((value) => {
    if ('composite' in value) return value.composite.flatMap((part) => [...bareCodes(part)]);
    return value.token?.[0] === '*' ? [value.token[1]] : [];
  });

const byType = new Map();
resources.forEach((one, at) => byType.set(one.resourceType, [...(byType.get(one.resourceType) ?? []), at]));

const pairs = { compared: 0, withValues: 0 };
for (const [type, places] of [...byType].sort()) {
  test(`${type}: ${places.length} examples`, () => {
    for (const parameter of compared.filter((one) => one.base.includes(type) || one.base.includes('Resource'))) {
      let any = false;
      for (const at of places) {
        const theirs = found(parameter, resources[at], parameters, isType);
        const bare = new Set(bareCodes(theirs));
        const own = extracted[at][parameter.code] ?? [];
        any ||= own.length > 0;
        assert.deepEqual(comparable(own, bare), comparable(theirs, bare), `${names[at]}: ${parameter.code}`);
      }
      pairs.compared += 1;
      pairs.withValues += any ? 1 : 0;
    }
  });
}

test('nothing is extracted for a parameter that was not compared', () => {
  for (const [at, values] of extracted.entries()) {
    const type = resources[at].resourceType;
    const of = compared.filter((one) => one.base.includes(type) || one.base.includes('Resource'));
    const codes = new Set(of.map((one) => one.code));
    assert.deepEqual(Object.keys(values).filter((code) => !codes.has(code)), [], names[at]);
  }
});

test('most parameters have values in the examples', () => {
  assert.ok(pairs.compared > 2500 && pairs.withValues > 1500, JSON.stringify(pairs));
});
