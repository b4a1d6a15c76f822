// Makes the pictures of the README: docs/images/authorize-{phone,desktop}.png. Run: node tests/browser/screenshots.mjs
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../world/world.mjs';
import { DESKTOP, PHONE, Stage } from './stage.mjs';

const FOLDER = join(ROOT, 'docs/images');
// The app on the picture must send one; no code is ever asked for it.
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const stage = await Stage.open();
try {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    await stage.visit({ viewport, deviceScaleFactor: 2 }, async (page) => {
      await page.goto(stage.authorizeUrl({ client_id: 'sleep-diary', code_challenge: CHALLENGE, code_challenge_method: 'S256' }));
      const path = join(FOLDER, `authorize-${name}.png`);
      await page.screenshot({ path, fullPage: true });
      process.stdout.write(`${path}\n`);
    });
  }
} finally {
  await stage.close();
}
