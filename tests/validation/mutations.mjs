// Single mutations of good examples, made by HL7's StructureDefinitions: one thing wrong at a time, at a known element.

import { NAMES, load } from './examples.mjs';
import { MEDPLUM_ALONE, REFUSED } from './exceptions.mjs';

const DATES = ['date', 'dateTime', 'instant'];

/** One good example of each type: the first that contains nothing, because what it contains depends on all the rest. */
function specimens() {
  const found = new Map();
  for (const name of NAMES) {
    const type = name.split('-')[0];
    if (found.has(type) || name in REFUSED || name in MEDPLUM_ALONE || !NAMES.includes(`StructureDefinition-${type}.json`)) continue;
    const resource = load(name);
    if (resource.resourceType === type && !resource.contained) found.set(type, resource);
  }
  return found;
}

/** The elements right below a type: name, type, whether there can be several, whether one must be there, the strength of its binding. */
function elements(type) {
  const all = load(`StructureDefinition-${type}.json`).snapshot.element;
  const direct = all.filter((element) => element.path.split('.').length === 2 && !element.path.endsWith('[x]'));
  return direct.map((element) => ({
    name: element.path.split('.')[1],
    type: element.type?.length === 1 ? element.type[0].code : undefined,
    many: element.max !== '1',
    required: element.min > 0,
    valueSet: element.binding?.strength === 'required' ? element.binding.valueSet : undefined,
  }));
}

const changed = (resource, name, value) => ({ ...resource, [name]: value });

function without(resource, name) {
  const { [name]: _, ...rest } = resource;
  return rest;
}

/** Each mutation: what it is, the resource, the element that has to be named, and whether it is only we who check it. */
export function mutations() {
  const all = [];
  for (const [type, resource] of specimens()) {
    const present = elements(type).filter((element) => element.name in resource && element.name !== 'id');
    const add = (what, element, broken, alone) => all.push({ what: `${type}: ${what}`, resource: broken, element: `${type}.${element}`, alone });
    const first = (fits) => present.find(fits)?.name;
    add('an unknown element', 'surprise', changed(resource, 'surprise', 'x'));
    const required = first((element) => element.required);
    if (required) add(`${required} is missing`, required, without(without(resource, required), `_${required}`));
    const single = first((element) => !element.many);
    if (single) add(`${single} in an array`, single, changed(resource, single, [resource[single]]));
    const many = first((element) => element.many);
    if (many) add(`${many} without its array`, many, changed(resource, many, resource[many][0]));
    if (many) add(`${many} empty`, many, changed(resource, many, []), !present.find((element) => element.name === many).required);
    const coded = first((element) => element.type === 'code' && element.valueSet && !element.many);
    if (coded) add(`${coded} of no value set`, coded, changed(resource, coded, 'no-such-code'), true);
    const date = first((element) => DATES.includes(element.type) && !element.many);
    if (date) add(`${date} of no calendar`, date, changed(resource, date, '2020-13-45'));
    const flag = first((element) => element.type === 'boolean');
    if (flag) add(`${flag} as text`, flag, changed(resource, flag, 'true'));
    const object = first((element) => ['CodeableConcept', 'Period', 'Reference', 'Identifier'].includes(element.type) && !element.many);
    if (object) add(`${object} as text`, object, changed(resource, object, 'x'));
  }
  return all;
}
