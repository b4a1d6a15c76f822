// A typed client that openapi-typescript makes of the /openapi.json that is served, unmodified, and an app that is compiled against it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Service } from '../../world/service.mjs';
import { approved, configure } from './apps.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const MODULES = join(HERE, '../node_modules');

let service;
let made;
let library;
before(async () => {
  service = await Service.start();
  // Beside the packages that it imports.
  made = mkdtempSync(join(MODULES, '.diary-'));
  writeFileSync(join(made, 'package.json'), '{"type":"module"}');
  copyFileSync(join(HERE, 'diary.ts'), join(made, 'diary.ts'));
  run('openapi-typescript/bin/cli.js', `${service.base}/openapi.json`, '-o', join(made, 'schema.d.ts'));
  run('typescript/bin/tsc', join(made, 'diary.ts'), '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable');
  library = await import(join(made, 'diary.js'));
});
after(() => {
  if (made) rmSync(made, { recursive: true, force: true });
  return service?.stop();
});

function run(program, ...words) {
  const done = spawnSync(process.execPath, [join(MODULES, program), ...words], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stdout + done.stderr);
}

async function diary() {
  const token = await approved(service, await configure(service, 'sleep-diary'));
  return new library.Diary(service.base, token.access_token);
}

test('an app posts, lists and pages measurements that FHIR has, too', async () => {
  const app = await diary();
  for (const [value, day] of [[64.5, '2026-03-01'], [64.1, '2026-03-02'], [63.8, '2026-03-03']]) {
    const stored = await app.weigh(value, day);
    assert.deepEqual([stored.value, stored.unit, stored.version, stored.source.type], [value, 'kg', 1, 'PATIENT']);
  }
  assert.deepEqual(await app.weights(2), [[63.8, 64.1], [64.5]]);
  assert.equal(await app.observations('amina-osei'), 3);
});

test('a letter is found and opened', async () => {
  const { titles, first } = await (await diary()).letters();
  assert.ok(titles.includes('Appointment letter'));
  assert.match(first, /Dear Amina/);
});

test('what is refused is an error with its code and the id of the request', async () => {
  const app = await diary();
  await assert.rejects(app.weigh(64, '2126-01-01'), ({ said }) => {
    assert.equal(said.errorCode, 'UNPROCESSABLE');
    assert.match(said.errorMessage, /^dateTaken: must not be more than a day in the future/);
    assert.ok(said.requestId);
    return true;
  });
});
