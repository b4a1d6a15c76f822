// What every page must be: accessible by WCAG 2.2 A and AA, no wider than the screen, locked down by its headers.
import assert from 'node:assert/strict';
import axe from 'axe-core';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

export async function assertAccessible(page) {
  // The pages forbid foreign script; what is evaluated is the debugger's own way in.
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(axe.source);
  const { found, passed } = await page.evaluate(async (tags) => {
    const { violations, passes } = await globalThis.axe.run({
      runOnly: { type: 'tag', values: tags },
      // Target size is WCAG 2.2 AA but off in axe unless asked for.
      rules: { 'target-size': { enabled: true } },
      // All rules are tried on all elements; those that passed are only not described one by one, which takes longer than trying them.
      resultTypes: ['violations'],
    });
    const words = (rule) => rule.nodes.map((node) => `${rule.id}: ${rule.help}: ${node.html}`);
    return { found: violations.flatMap(words), passed: passes.map((rule) => rule.id) };
  }, WCAG);
  assert.deepEqual(found, []);
  assert.ok(passed.includes('color-contrast'), 'axe looked at no text');
}

export async function assertNoSidewaysScroll(page) {
  const { height } = page.viewportSize();
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `at ${width} px the page is ${wide} px wide`);
  }
}

/** `kept` is what the page says of being kept: only one that is the same to everybody may be. */
export function assertLockedDown(headers, kept = /no-store/) {
  const policy = new Map((headers['content-security-policy'] ?? '').split(';').map((part) => {
    const [name, ...values] = part.trim().split(/\s+/);
    return [name, values];
  }));
  assert.deepEqual(policy.get('frame-ancestors'), ["'none'"]);
  assert.ok(policy.has('default-src'), 'no default-src');
  for (const [directive, values] of policy) {
    for (const value of values) assert.ok(!/unsafe|^\*$|^https?:$|^data:$/.test(value), `${directive} allows ${value}`);
  }
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(headers['cache-control'] ?? '', kept);
}

/** Nothing inline and nothing from elsewhere: what the policy forbids is not even tried. */
export async function assertNothingInline(page) {
  const found = await page.evaluate(() => [...document.querySelectorAll('*')].flatMap((element) => {
    const inline = element.matches('style, script:not([src]), [style]') || [...element.attributes].some((a) => a.name.startsWith('on'));
    const address = element.getAttribute('src') ?? (element.matches('link') ? element.getAttribute('href') : null);
    const foreign = address !== null && new URL(address, document.baseURI).origin !== location.origin;
    return inline || foreign ? [element.outerHTML.slice(0, 120)] : [];
  }));
  assert.deepEqual(found, []);
}
