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

/** What axe finds on the page as it is now, one line for each element. */
export async function barriers(page) {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze();
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}: ${node.failureSummary.replaceAll(/\s+/g, ' ')}`));
}
