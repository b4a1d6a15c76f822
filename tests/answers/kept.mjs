// The answers that other suites got and kept, each with the request that it answers.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function keptAnswers() {
  const directory = process.env.RECORDGATE_ANSWERS;
  const files = directory ? readdirSync(directory).filter((name) => name.endsWith('.ndjson')) : [];
  if (files.length === 0) throw new Error('no answers were kept: run `./test rust fhir-clients answers`, which keeps them first');
  return files.flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)));
}
