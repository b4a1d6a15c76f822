// What HL7's profiles say of HL7's examples: by us, and by Medplum's validator alike; where the two differ is listed with the reason.

import { indexStructureDefinitionBundle } from '@medplum/core';
import assert from 'node:assert/strict';
import test from 'node:test';
import { NAMES, load, path, text } from './examples.mjs';
import { PROFILES_APART, PROFILES_UNREAD } from './exceptions.mjs';
import { medplum, ours } from './judges.mjs';

const HOME = 'http://hl7.org/fhir/StructureDefinition/';
const EACH = 70;
const LARGEST = 100_000;

const isProfile = (definition) => definition.derivation === 'constraint' && definition.kind === 'resource';
const profiles = NAMES.filter((name) => name.startsWith('StructureDefinition-')).map(load).filter(isProfile);

/** The profiles that Medplum can read. */
const read = profiles.filter((profile) => {
  try {
    indexStructureDefinitionBundle([profile]);
    return true;
  } catch {
    return false;
  }
});

/** Some examples of the type of each profile, whether they are meant to keep to it or not. */
const cases = read.flatMap((profile) => {
  const of = NAMES.filter((name) => name.startsWith(`${profile.type}-`) && text(name).length < LARGEST);
  return of.filter((name) => load(name).resourceType === profile.type).slice(0, EACH).map((name) => ({ profile, name }));
});
const verdicts = ours(cases.map(({ profile, name }) => `${profile.url} ${path(name)}`));

/** Whether Medplum finds something against the profile that is not against R4 itself. */
function refuses({ profile, name }) {
  const resource = load(name);
  if (resource.meta) delete resource.meta.profile;
  const known = new Set(medplum(resource));
  return medplum(resource, profile).some((element) => !known.has(element));
}

test('every profile of the package is judged by, and Medplum reads all but those that are listed', () => {
  assert.equal(profiles.length, 43);
  const unread = profiles.filter((profile) => !read.includes(profile)).map((profile) => profile.id);
  assert.deepEqual(unread, Object.keys(PROFILES_UNREAD));
  assert.ok(cases.length > 1400, `${cases.length}`);
});

test('both refuse and both accept the same, but for what is listed', () => {
  const apart = {};
  for (const [at, one] of cases.entries()) {
    const [we, they] = [verdicts[at].length > 0, refuses(one)];
    if (we !== they) (apart[`${one.profile.id}: ${we ? 'we' : 'Medplum'} alone`] ??= []).push(one.name);
  }
  const counted = Object.fromEntries(Object.entries(apart).map(([what, names]) => [what, names.length]));
  assert.deepEqual(counted, Object.fromEntries(Object.entries(PROFILES_APART).map(([what, [count]]) => [what, count])));
});

test('some keep to a profile and some do not, by both', () => {
  const kept = verdicts.filter((issues) => issues.length === 0).length;
  assert.ok(kept > 100 && verdicts.length - kept > 700, `${kept} of ${verdicts.length}`);
});

test("HL7's vital signs keep to the profile that is theirs", () => {
  const theirs = {
    'blood-pressure': 'bp', bmi: 'bmi', 'body-height': 'bodyheight', 'body-temperature': 'bodytemp', 'heart-rate': 'heartrate',
    'respiratory-rate': 'resprate', 'head-circumference': 'headcircum', satO2: 'oxygensat', example: 'bodyweight',
    'vitals-panel': 'vitalspanel',
  };
  const lines = Object.entries(theirs).map(([name, profile]) => `${HOME}${profile} ${path(`Observation-${name}.json`)}`);
  const found = ours(lines).map((issues, at) => [lines[at].split('/').at(-1), issues]).filter(([, issues]) => issues.length > 0);
  assert.deepEqual(found, []);
});

test('what examples say of themselves is true, and would not be without what it rests on', () => {
  const claiming = NAMES.filter((name) => text(name).includes('"profile"') && load(name).meta?.profile);
  const found = ours(claiming.map((name) => `${HOME}Resource ${path(name)}`));
  assert.ok(claiming.length > 1900, `${claiming.length}`);
  assert.deepEqual(claiming.filter((_, at) => found[at].length > 0), []);
  const shareable = claiming.filter((name) => load(name).meta.profile.some((url) => url.includes('/shareable'))).slice(0, 100);
  const bare = ours(shareable.map((name) => `${HOME}Resource ${JSON.stringify({ ...load(name), publisher: undefined })}`));
  assert.deepEqual(bare.map((issues) => issues.length), shareable.map(() => 1));
});
