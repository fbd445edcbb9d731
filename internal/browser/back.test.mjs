/**
 * Coming back: what the Back button shows after leaving, and a page that the browser
 * kept whole (E24 to E28, E30; booking-H24). Playwright switches that keeping off; here
 * it is on. Chromium keeps no page that says no-store, others do: so that a page with a
 * form is kept here too, that header is taken away on its way.
 */
import assert from 'node:assert/strict';
import { book, chooseTime, pick } from './booking.mjs';
import { entries, scene, stage, visit } from './harness.mjs';
import { articles, seen, settle, tapExit } from './sight.mjs';

const world = stage({ backForwardCache: true });

async function keepAll(page) {
  await page.route(/\/(consult|newsletter)$/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const answer = await route.fetch();
    return route.fulfill({ response: answer, headers: { ...answer.headers(), 'cache-control': 'no-cache' } });
  });
}

// back presses Back, and tells whether the page came out of the browser's keep: such a
// page has no load event.
async function back(page, path) {
  await page.goBack({ waitUntil: 'commit' });
  await page.waitForURL(`**${path}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.readyState === 'complete');
  return page.evaluate(() => window.kept === true);
}

const mark = (page) => page.evaluate(() => { addEventListener('pageshow', (event) => { window.kept = event.persisted; }); });

scene(world, 'E26 a page that was kept is whole, with empty fields and the count at zero', {}, async (page) => {
  await keepAll(page);
  await page.goto('/newsletter');
  await mark(page);
  const title = await page.title();
  await page.locator('input[name=email]').fill('reader@example.com');
  await page.locator('h1').click();
  await page.keyboard.press('Shift');
  await page.keyboard.press('Shift');
  await page.locator('footer a[href="/about"]').first().click();
  await page.waitForURL('**/about');
  assert.ok(await back(page, '/newsletter'), 'the browser kept the page');
  assert.equal(await page.title(), title);
  assert.equal(await page.locator('input[name=email]').inputValue(), '');
  await page.keyboard.press('Shift');
  await settle(page);
  assert.equal(new URL(page.url()).pathname, '/newsletter');
});

scene(world, 'E26 a page hidden by a press with Ctrl is shown again when it is come back to', {}, async (page) => {
  await page.goto(articles[0]);
  await mark(page);
  const title = await page.title();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), page.locator('a[data-exit]').click({ modifiers: ['Control'] })]);
  await tab.close();
  assert.doesNotMatch(await seen(page), /Steadier/);
  await page.goto('/about');
  assert.ok(await back(page, articles[0]), 'the browser kept the page');
  assert.equal(await page.title(), title);
  assert.match(await seen(page), /In brief/);
});

for (const [name, path, field] of [['booking form', '/consult', 'name'], ['newsletter', '/newsletter', 'email']]) {
  scene(world, `E30 leaving from a page after the ${name}: Back shows its fields empty`, {}, async (page) => {
    await keepAll(page);
    await page.goto(path);
    await page.locator(`input[name=${field}]`).fill('typed by somebody');
    if (path === '/consult') await chooseTime(page, 3);
    await page.locator('footer a[href="/safety"]').first().click();
    await page.waitForURL('**/safety');
    await tapExit(page);
    await page.waitForURL(world.target.url);
    await back(page, path);
    assert.equal(await page.locator(`input[name=${field}]`).inputValue(), '');
    assert.equal(await page.locator('input[name=slot]:checked').count(), 0);
  });
}

scene(world, 'E27 after leaving, Back never shows the confirmation', {}, async (page) => {
  const { path } = await book(page, { name: 'Robin', time: 1 });
  await tapExit(page);
  await page.waitForURL(world.target.url);
  assert.ok((await entries(page)).every(({ url }) => !url.includes(path)));
  await back(page, '/consult');
  assert.equal(await page.locator('input[name=name]').inputValue(), '');
  assert.doesNotMatch(await seen(page), /is booked/);
});

scene(world, 'E28 leaving adds nothing to the history', {}, async (page) => {
  await page.goto('/');
  await page.goto(articles[0]);
  const before = (await entries(page)).length;
  await tapExit(page);
  await page.waitForURL(world.target.url);
  assert.equal((await entries(page)).length, before);
  await back(page, '/');
  assert.match(await seen(page), /Leave this site/, 'Back is not trapped');
});

scene(world, 'booking-H24 a list of times that was kept is loaded again, without the taken one', {}, async (page) => {
  await keepAll(page);
  await page.goto('/consult');
  await page.evaluate(() => { window.old = true; });
  const slot = await page.locator('input[name=slot]').nth(5).inputValue();
  await page.locator('footer a[href="/about"]').first().click();
  await page.waitForURL('**/about');
  const other = await visit(world);
  await other.goto('/consult');
  await other.locator(`label:has(input[value="${slot}"])`).click();
  await other.locator('input[name=name]').fill('Alex');
  await pick(other, 'call', 'you');
  await other.locator('form[action="/consult"] button[type=submit]:not([name=do])').click();
  await other.waitForURL(/\/consult\/[A-Za-z0-9_-]{20,}$/);
  await other.context().close();
  await page.goBack({ waitUntil: 'commit' });
  await page.waitForFunction(() => !window.old && document.readyState === 'complete');
  assert.equal(await page.locator(`input[value="${slot}"]`).count(), 0);
  assert.ok(await page.locator('input[name=slot]').count() > 0);
});
