// A client with a key pair of its own, made for the run, and registered by its public half.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORGANISATION } from './world.mjs';

const GENERATED = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
};

export async function keyPair(algorithm, kid) {
  const pair = await crypto.subtle.generateKey(GENERATED[algorithm], true, ['sign', 'verify']);
  const jwk = { ...(await crypto.subtle.exportKey('jwk', pair.publicKey)), kid };
  return { key: pair.privateKey, kid, jwk };
}

/** Registers a client by these pairs; `options` are those of `recordgate client add`. */
export function register(service, clientId, pairs, ...options) {
  service.cli('client', 'add', '--client-id', clientId, '--owner', 'Postbridge', '--product', clientId, '--jwks', file(service, clientId, pairs), ...options);
}

export function registerSystem(service, clientId, pairs) {
  register(service, clientId, pairs, '--kind', 'system');
  service.cli('organisation', 'grant', ORGANISATION, clientId);
}

export function change(service, clientId, pairs) {
  service.cli('client', 'change', clientId, '--jwks', file(service, clientId, pairs));
}

function file(service, clientId, pairs) {
  const path = join(service.directory, `${clientId}.json`);
  writeFileSync(path, JSON.stringify({ keys: pairs.map((pair) => pair.jwk) }));
  return path;
}
