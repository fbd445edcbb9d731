/**
 * A sheet of paper holds all that a page says, and the numbers to call (reader-H31).
 */
import assert from 'node:assert/strict';
import { scene, stage } from './harness.mjs';
import { articles } from './sight.mjs';

const world = stage();

// Every piece of text of the page and whether it is shown. What only leads somewhere on a
// screen is left out.
function pieces() {
  const aside = '.contents, .related, .invite, .shared, .back, .skips, nav, [popover], template, script, .unseen, form';
  const all = [...document.querySelectorAll('main h1, main h2, main h3, main p, main li, main td, main th, main dd, main dt, main figcaption')];
  return all.filter((e) => !e.closest(aside)).map((e) => ({
    text: e.textContent.trim().replaceAll(/\s+/g, ' '),
    shown: e.checkVisibility() && e.getClientRects().length > 0,
  })).filter(({ text }) => text);
}

// The sheets as they would come out of the printer, without when they were made.
const sheets = async (page) => (await page.pdf({ format: 'A4' })).toString('latin1').replaceAll(/\/(Creation|Mod)Date \([^)]*\)/g, '');

for (const path of [...articles, '/support']) {
  scene(world, `reader-H31 ${path}: all of it is printed, the same from any window`, { width: 1400, height: 900 }, async (page) => {
    await page.goto(path);
    const onScreen = (await page.evaluate(pieces)).filter(({ shown }) => shown).map(({ text }) => text);
    assert.ok(onScreen.length > 20, `${onScreen.length} pieces`);
    await page.emulateMedia({ media: 'print' });
    const onPaper = new Set((await page.evaluate(pieces)).filter(({ shown }) => shown).map(({ text }) => text));
    assert.deepEqual(onScreen.filter((text) => !onPaper.has(text)), [], 'nothing is left out');
    const calls = await page.locator('main a[href^="tel:"]').evaluateAll((all) => all.map((a) => a.checkVisibility() && /\d/.test(a.textContent)));
    assert.ok(calls.every(Boolean), 'numbers to call are printed');
    if (path === '/support') assert.ok(calls.length > 50, `${calls.length} numbers`);
    await page.emulateMedia({ media: null });
    const wide = await sheets(page);
    await page.setViewportSize({ width: 400, height: 900 });
    assert.ok(wide.length > 10_000 && await sheets(page) === wide, 'from a narrow window the sheets are others');
  });
}
