// What world.toml says, by name, so that no suite repeats a password or a secret.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const WORLD = `${ROOT}tests/world/world.toml`;
export const RECORD = `${ROOT}tests/world/record.json`;

const told = readTables(readFileSync(WORLD, 'utf8'));
export const ORGANISATION = told.organisation[0].public_id;
export const OTHER_ORGANISATION = told.organisation[1].public_id;
export const TEAM = told.team[0].public_id;

export function login(username) {
  const { password } = told.user.find((user) => user.username === username);
  return { username, password };
}

export function client(clientId) {
  return told.client.find((each) => each.client_id === clientId);
}

// Node has no TOML reader; of this one file only tables and plain strings are wanted.
function readTables(text) {
  const tables = {};
  let current = {};
  for (const line of text.split('\n')) {
    const header = /^\[\[(\w+)\]\]$/.exec(line);
    const pair = /^(\w+) = "(.*)"$/.exec(line);
    if (header) {
      current = {};
      (tables[header[1]] ??= []).push(current);
    } else if (pair) {
      current[pair[1]] = pair[2];
    }
  }
  return tables;
}
