/**
 * Nothing lies over the exit, at any width and wherever a page is scrolled to (E5).
 */
import assert from 'node:assert/strict';
import { scene, stage } from './harness.mjs';
import { articles } from './sight.mjs';

const world = stage();

// The points of the exit, its corners and its middle, that something else covers.
function covered() {
  const exit = document.querySelector('a[data-exit]');
  const { left, right, top, bottom } = exit.getBoundingClientRect();
  const points = [[left + 3, top + 3], [right - 3, top + 3], [left + 3, bottom - 3], [right - 3, bottom - 3], [(left + right) / 2, (top + bottom) / 2]];
  return points.map(([x, y]) => [document.elementFromPoint(x, y), x, y])
    .filter(([at]) => at !== exit && !exit.contains(at))
    .map(([at, x, y]) => `${Math.round(x)},${Math.round(y)}: ${at?.outerHTML.slice(0, 80) ?? 'outside the window'}`);
}

for (const path of ['/', articles[1], '/support', '/search', '/newsletter', '/consult', '/self-assessment', '/no/such/page']) {
  scene(world, `E5 ${path}: nothing lies over the exit`, {}, async (page) => {
    await page.goto(path);
    for (const width of [320, 360, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: width < 400 ? 256 : 900 });
      for (const share of [0, 0.5, 1]) {
        await page.evaluate((part) => scrollTo(0, part * document.documentElement.scrollHeight), share);
        assert.deepEqual(await page.evaluate(covered), [], `${width} px wide, scrolled to ${share}`);
      }
    }
  });
}
