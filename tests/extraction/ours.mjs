// What our own crate extracts: its example program, given resources, prints their values.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** For each resource its values, by the code of their parameter. */
export function extract(resources) {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const input = resources.map((one) => `${JSON.stringify(one)}\n`).join('');
  const program = ['run', '--quiet', '--locked', '-p', 'fhir', '--example', 'extract'];
  const run = spawnSync('cargo', program, { cwd, input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.trim().split('\n').map((line) => JSON.parse(line));
}
