/**
 * Where the exit stands: never over text or a control, at 400 % zoom, at night and in
 * forced colours (reader-H18, reader-H19; E4 to E7).
 */
import assert from 'node:assert/strict';
import { bookingForm } from './booking.mjs';
import { scene, stage } from './harness.mjs';
import { articles, contrasts, exitOf } from './sight.mjs';

const world = stage();

for (const path of [...articles, '/consult', '/']) {
  scene(world, `reader-H18 ${path} at 360 × 640, scrolled to its end: the bar covers nothing`, {}, async (page) => {
    await page.goto(path);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const bar = await page.locator('.exit').boundingBox();
    const covered = await page.evaluate((top) => [...document.querySelectorAll('main > *, main button, main a, footer p, footer a')]
      .filter((e) => !e.closest('.exit') && e.checkVisibility() && e.getBoundingClientRect().height > 0 && e.getBoundingClientRect().bottom > top + 0.5)
      .map((e) => e.outerHTML.slice(0, 80)), bar.y);
    assert.deepEqual(covered, []);
    assert.equal(Math.round(bar.y + bar.height), 640, 'the bar is at the foot of the screen');
  });
}

scene(world, 'reader-H18 the button of the form can be seen whole', {}, async (page) => {
  await page.goto('/consult');
  const button = page.locator(`${bookingForm} button[type=submit]:not([name=do])`);
  await button.focus();
  const [box, bar] = [await button.boundingBox(), await page.locator('.exit').boundingBox()];
  assert.ok(box.y >= 0 && box.y + box.height <= bar.y, `${JSON.stringify(box)} ${JSON.stringify(bar)}`);
});

for (const path of [articles[1], '/consult', '/newsletter', '/support']) {
  scene(world, `reader-H19 ${path} at 320 × 256: everything that Tab reaches is whole in view`, { width: 320, height: 256 }, async (page) => {
    await page.goto(path);
    const bar = await page.locator('.exit').boundingBox();
    assert.ok(bar.height <= 256 * 0.2, `the bar is ${bar.height} px high`);
    assert.equal((await exitOf(page).evaluate((a) => a.getClientRects().length)), 1, 'one line');
    const hidden = [];
    let stops = 0;
    for (; stops < 250; stops += 1) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate(whereFocusIs, bar.y);
      if (!focus) break;
      if (focus.hidden) hidden.push(focus);
    }
    assert.ok(stops > 10, `${stops} stops`);
    assert.deepEqual(hidden, []);
  });
}

// The part of the focused element that is outside the room above the bar; an element
// higher than that room has to fill it. Null: the focus has left the page.
function whereFocusIs(floor) {
  const e = document.activeElement;
  if (e === document.body || e === document.documentElement) return null;
  if (e.closest('.exit')) return { hidden: false };
  const shown = e.matches('input[type=radio], input[type=checkbox]') && e.closest('label') ? e.closest('label') : e;
  const { top, bottom, left, right, height } = shown.getBoundingClientRect();
  const whole = top >= -0.5 && bottom <= floor + 0.5 && left >= -0.5 && right <= innerWidth + 0.5;
  const fills = height > floor && top < floor / 2 && bottom > floor / 2;
  return { hidden: !whole && !fills, is: e.outerHTML.slice(0, 90), top, bottom, floor };
}

for (const dark of [false, true]) {
  scene(world, `E4 the exit is plain, large and clear, ${dark ? 'dark' : 'light'}`, { dark }, async (page) => {
    await page.goto(articles[0]);
    const [{ ratio }] = await contrasts(page, 'a[data-exit]');
    assert.ok(ratio >= 7, `contrast ${ratio}`);
    assert.equal(await exitOf(page).innerText(), 'Leave this site');
    const label = await exitOf(page).getAttribute('aria-label');
    assert.ok(label === null || label.startsWith('Leave this site'), `accessible name ${label}`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const ring = await exitOf(page).evaluate((a) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(a);
      return { outlineStyle, wide: parseFloat(outlineWidth) };
    });
    assert.ok(ring.outlineStyle !== 'none' && ring.wide >= 2, JSON.stringify(ring));
    assert.match(await page.locator('meta[name=viewport]').getAttribute('content'), /viewport-fit=cover/);
  });
}

scene(world, 'in forced colours the exit, the chosen time and the focus can be seen', { forcedColors: 'active', width: 1280, height: 900 }, async (page) => {
  await page.goto('/consult');
  assert.ok(await exitOf(page).isVisible());
  const border = await exitOf(page).evaluate((a) => getComputedStyle(a).color !== getComputedStyle(a.parentElement).backgroundColor);
  assert.ok(border, 'the label differs from what is behind it');
  const label = page.locator('label:has(input[name=slot])').first();
  const before = await label.screenshot();
  await page.locator('input[name=slot]').first().check({ force: true });
  await page.locator('h1').click();
  assert.notDeepEqual(await label.screenshot(), before, 'a chosen time looks chosen');
  await page.locator('input[name=name]').focus();
  assert.notEqual(await page.locator('input[name=name]').evaluate((e) => getComputedStyle(e).outlineStyle), 'none');
});
