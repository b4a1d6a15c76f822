// The built `recordgate` on a free port with the shared world, for Node suites.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ORGANISATION, RECORD, ROOT, TEAM, WORLD } from './world.mjs';

// However busy the machine is; a service that has ended is not waited for.
const READY_MS = 300_000;
const STOP_MS = 120_000;

export function binary() {
  const path = process.env.RECORDGATE_BINARY ?? join(ROOT, 'target/release/recordgate');
  if (!existsSync(path)) throw new Error(`${path} is not there. Build it first: cargo build --release`);
  return path;
}

/** The first of `count` neighbouring ports that were free a moment ago. */
export async function freePorts(count = 1) {
  for (;;) {
    const held = [];
    try {
      held.push(await listening(0));
      const first = held[0].address().port;
      while (held.length < count) held.push(await listening(first + held.length));
      return first;
    } catch (taken) {
      if (taken.code !== 'EADDRINUSE' && taken.code !== 'ERR_SOCKET_BAD_PORT') throw taken;
    } finally {
      await Promise.all(held.map((server) => new Promise((done) => server.close(done))));
    }
  }
}

function listening(port) {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

export class Service {
  /** Starts `recordgate COMMAND` on a directory of its own, reached at `host`; `serve` gets the shared world first. */
  static async start({ command = 'serve', ports = 1, options = [], baseUrl, host = '127.0.0.1' } = {}) {
    const service = new Service();
    service.directory = mkdtempSync(join(tmpdir(), 'recordgate-test-'));
    service.database = `sqlite:${join(service.directory, 'data')}`;
    service.log = join(service.directory, 'log');
    service.port = await freePorts(ports);
    service.base = `http://${host}:${service.port}`;
    if (command === 'serve') service.loadWorld();
    service.words = [command, '--database', service.database, '--listen', `127.0.0.1:${service.port}`, '--base-url', baseUrl ?? service.base, ...options];
    service.spawn();
    // Should the suite itself die, its service goes with it.
    service.onExit = () => service.process.kill('SIGKILL');
    process.once('exit', service.onExit);
    try {
      await service.ready();
    } catch (late) {
      await service.stop();
      throw late;
    }
    return service;
  }

  spawn() {
    const log = openSync(this.log, 'a');
    this.process = spawn(binary(), this.words, { cwd: this.directory, stdio: ['ignore', log, log] });
    closeSync(log);
  }

  loadWorld() {
    this.cli('apply', WORLD);
    this.cli('import', '--organisation', ORGANISATION, '--team', TEAM, RECORD);
  }

  cli(...words) {
    const done = spawnSync(binary(), [...words, '--database', this.database], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    if (done.status !== 0) throw new Error(`recordgate ${words.join(' ')} ended with ${done.status}:\n${done.stdout}${done.stderr}`);
    return done.stdout;
  }

  async ready() {
    const deadline = Date.now() + READY_MS;
    for (;;) {
      const answer = await fetch(`${this.base}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return;
      if (this.process.exitCode !== null && /cannot listen on .*\s*$/.test(this.logged()) && Date.now() < deadline) {
        // Another suite's connection has the port for a moment.
        this.spawn();
      } else if (this.process.exitCode !== null || Date.now() > deadline) {
        throw new Error(`the service did not become ready; its log:\n${this.logged()}`);
      }
      await pause(20);
    }
  }

  logged() {
    return readFileSync(this.log, 'utf8');
  }

  /** SIGTERM, and SIGKILL for one that does not listen. */
  async stop() {
    process.removeListener('exit', this.onExit);
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = new Promise((done) => this.process.once('exit', done));
      this.process.kill('SIGTERM');
      const late = setTimeout(() => this.process.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(late);
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}
