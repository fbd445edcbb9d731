/**
 * Two judges of a page: html-validate for what the server sent, axe for what the
 * browser made of it.
 */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';

const config = JSON.parse(readFileSync(new URL('htmlvalidate.json', import.meta.url), 'utf8'));
const validator = new HtmlValidate(new StaticConfigLoader(config));

/** The faults of an HTML text, one line each. */
export async function faults(html, name) {
  const report = await validator.validateString(html, name);
  return report.results.flatMap(({ messages }) => messages)
    .map((m) => `${name}:${m.line}:${m.column}: ${m.message} (${m.ruleId})`);
}

/**
 * What axe finds on the page as it is now, one line for each element.
 * @param {{colours?: boolean}} options colours: only the rules that a theme can break
 */
export async function barriers(page, { colours = false } = {}) {
  // No page of the site has frames, so axe needs no second page to gather from them.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (colours) axe.withRules(['color-contrast', 'link-in-text-block']);
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}: ${node.failureSummary.replaceAll(/\s+/g, ' ')}`));
}
