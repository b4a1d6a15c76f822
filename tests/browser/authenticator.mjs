// A person's authenticator app: the secret that a page shows, and its code of now (RFC 6238).
import { createHmac } from 'node:crypto';

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What somebody types into their app from the page that sets a second factor up. */
export async function secretOn(page) {
  const text = (await page.innerText('code.secret')).replaceAll(/\s/g, '');
  const bits = [...text].map((sign) => SIGNS.indexOf(sign).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
}

/** The code of a secret, so many steps from now. */
export function codeOf(secret, steps = 0) {
  const counter = Buffer.alloc(8);
  counter.writeBigInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const four = digest.readUInt32BE(digest.at(-1) & 15) & 0x7fffffff;
  return String(four % 1_000_000).padStart(6, '0');
}
