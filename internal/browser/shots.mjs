/**
 * Pictures of every page and state, narrow and wide, light and dark, in artefacts/shots:
 * `node shots.mjs`, or `node shots.mjs article consult` for some of them. An assertion
 * can't tell whether one would want to read there.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { artefacts, startBrowser, startSite, visit } from './harness.mjs';
import { states } from './states.mjs';
import { startTarget } from './target.mjs';

const dir = join(artefacts, 'shots');
const wanted = process.argv.slice(2);

async function take(world, state) {
  const page = await visit(world, { height: 900 });
  await state.open(page, world);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(dir, `${state.name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.context().close();
}

// Every part in every state, which only who writes is served.
async function gallery() {
  const site = await startSite({ exit: world.target.url, dev: true });
  const page = await visit({ ...world, site }, { width: 1000, height: 900 });
  await page.goto('/gallery');
  await page.screenshot({ path: join(dir, 'gallery.png'), fullPage: true });
  await page.context().close();
  await site.stop();
  console.log('gallery');
}

mkdirSync(dir, { recursive: true });
const world = { target: await startTarget() };
try {
  world.site = await startSite({ exit: world.target.url });
  world.browser = await startBrowser();
  for (const state of states) {
    if (wanted.length > 0 && !wanted.includes(state.name)) continue;
    await take(world, state);
    console.log(state.name);
  }
  if (wanted.length === 0 || wanted.includes('gallery')) await gallery();
} finally {
  await world.browser?.close();
  await world.site?.stop();
  await world.target.stop();
}
