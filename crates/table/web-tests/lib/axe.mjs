// The accessibility checker, run through the debugger so that the content policy stays on.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Until nothing moves any more that will ever come to rest. */
export const still = (page) => page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running' || !Number.isFinite(Number(a.effect?.getComputedTiming().endTime))));

/** Violations as short texts; `target-size` is on. What fades in is looked at when it is there. */
export async function violations(page) {
  await still(page);
  await page.evaluate(source);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } });
    return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 4).map((n) => `${n.html.slice(0, 160)} [${n.failureSummary?.split('\n')[1]?.trim() ?? ''}]`).join(' | ')}`);
  });
  return found;
}

/** What makes a page scroll sideways. */
export const overflow = (page) => page.evaluate(() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return [];
  return [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > wide + 1).slice(0, 5).map((e) => e.outerHTML.slice(0, 120));
});
