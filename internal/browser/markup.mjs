/**
 * Two judges of a page: html-validate for what the server sent, axe for what the
 * browser made of it.
 */
import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';

const config = JSON.parse(readFileSync(new URL('htmlvalidate.json', import.meta.url), 'utf8'));
const validator = new HtmlValidate(new StaticConfigLoader(config));

/** The faults of an HTML text, one line each. */
export async function faults(html, name) {
  const report = await validator.validateString(html, name);
  return report.results.flatMap(({ messages }) => messages)
    .map((m) => `${name}:${m.line}:${m.column}: ${m.message} (${m.ruleId})`);
}

const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds on the page as it is now, one line for each element. The wrapper for
 * Playwright is left out: it opens a second page to gather from frames, and the site
 * has none.
 * @param {{colours?: boolean}} options colours: only the rules that a theme can break
 */
export async function barriers(page, { colours = false } = {}) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe.source);
  const runOnly = colours ? { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } : { type: 'tag', values: all };
  const violations = await page.evaluate(async (options) => (await window.axe.run(document, options)).violations, { runOnly, resultTypes: ['violations'] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}: ${node.failureSummary.replaceAll(/\s+/g, ' ')}`));
}
