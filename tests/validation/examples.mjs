// HL7's examples of FHIR R4: every resource of the package, definitions included.

import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('node_modules/hl7.fhir.r4.examples/', import.meta.url));

export const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && !['package.json', '.index.json'].includes(name)).sort();

export const path = (name) => FOLDER + name;

export const text = (name) => readFileSync(path(name), 'utf8');

export const load = (name) => JSON.parse(text(name));
