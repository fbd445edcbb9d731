/**
 * The self-assessment as a reader meets it: with and without script, by keyboard, and
 * what is left of it after leaving (reader-H23, reader-H28; rules A4 to A8, A19, E18,
 * E27, E30). What each answer leads to is tested beside the rules.
 *
 * Chromium keeps no answer to a post for the Back button. Other browsers may, so what
 * happens then is set off here by the events that go with it.
 */
import assert from 'node:assert/strict';
import { entries, scene, stage } from './harness.mjs';
import { seen, settle, tapExit } from './sight.mjs';
import { questions, reflection, states } from './states.mjs';

const world = stage({ backForwardCache: true });
const answered = reflection({ 7: 'yes', 8: 'some' });
const path = (page) => new URL(page.url()).pathname + new URL(page.url()).search;
const chosen = (page) => page.locator('input:checked').count();

async function back(page) {
  await page.goBack({ waitUntil: 'commit' }).catch(() => {}); // the browser’s own notice is no page to wait for
  await page.waitForFunction(() => document.readyState === 'complete');
  await settle(page);
}

for (const js of [false, true]) {
  scene(world, `reader-H23 ${js ? 'with' : 'without'} script it leads to a page whose address holds no answer`, { js }, async (page) => {
    const statuses = [];
    page.on('response', (answer) => { if (answer.request().isNavigationRequest()) statuses.push(answer.status()); });
    await answered(page);
    assert.match(await seen(page), /Your reflection .*The pull/);
    assert.equal(path(page), '/self-assessment');
    assert.deepEqual(statuses, [200, 200, 200]);
    for (const { url } of await entries(page)) assert.doesNotMatch(url, /[?#]|yes/);
  });
}

scene(world, 'A4 by keyboard alone: begin, choose, take back, send', {}, async (page) => {
  const focused = () => page.evaluate(() => {
    const { name, value, innerText: text, checked } = document.activeElement;
    return { what: name || text, value, checked };
  });
  const tabTo = async (what) => {
    for (let press = 0; press < 60; press += 1) {
      await page.keyboard.press('Tab');
      if ((await focused()).what === what) return;
    }
    assert.fail(`Tab does not reach ${what}`);
  };
  await page.goto('/self-assessment');
  await tabTo('Begin');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/self-assessment/questions');
  await tabTo('q7');
  await page.keyboard.press('Space');
  assert.deepEqual(await focused(), { what: 'q7', value: 'yes', checked: true });
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await focused(), { what: 'q7', value: 'some', checked: true });
  await tabTo('q8');
  await page.keyboard.press('Space');
  await tabTo('Clear my answers');
  await page.keyboard.press('Enter');
  assert.equal(await chosen(page), 0);
  await page.locator('input[name=q7][value=yes]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await tabTo('Show my reflection');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/self-assessment');
  assert.match(await seen(page), /Your reflection .*The pull/);
});

scene(world, 'reader-H28 a reload leaves nothing chosen', {}, async (page) => {
  await questions(page);
  await page.locator('label:has(input[name=q7][value=yes])').click();
  assert.equal(await chosen(page), 1);
  await page.reload();
  await page.locator('input[name=q7]').first().waitFor();
  assert.equal(await chosen(page), 0);
});

scene(world, 'E18 leaving empties the questions in the same task', {}, async (page) => {
  world.target.be('nothing');
  try {
    await questions(page);
    await page.locator('label:has(input[name=q6][value=yes])').click();
    await page.evaluate(() => addEventListener('click', () => { window.left = document.querySelectorAll('input:checked').length; }));
    await tapExit(page);
    assert.equal(await page.evaluate(() => window.left), 0);
    assert.equal(await seen(page), 'Loading.');
  } finally {
    world.target.be('there');
  }
});

scene(world, 'E18 A19 answers that the server wrote back are emptied too, and can be cleared', {}, async (page) => {
  const { open } = states.find(({ name }) => name === 'assess-wrong');
  await open(page);
  assert.equal(await chosen(page), 1);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
  assert.equal(await chosen(page), 0);
  await open(page);
  await page.getByRole('button', { name: 'Clear my answers' }).first().click();
  await page.waitForURL('**/self-assessment/questions');
  assert.equal(await chosen(page), 0);
});

scene(world, 'E24 E27 after leaving from the result, Back shows no answer', { noise: true }, async (page) => {
  await answered(page);
  await tapExit(page);
  await page.waitForURL(world.target.url);
  await back(page);
  assert.doesNotMatch(await seen(page), /Your reflection|The pull/);
  assert.equal(await chosen(page), 0);
});

scene(world, 'E30 after leaving from a page after the questions, Back shows none of them answered', { noise: true }, async (page) => {
  await questions(page);
  await page.locator('label:has(input[name=q6][value=yes])').click();
  await page.locator('main a[href="/support"]').first().click();
  await page.waitForURL('**/support');
  await tapExit(page);
  await page.waitForURL(world.target.url);
  await back(page);
  assert.equal(await chosen(page), 0);
});

scene(world, 'E27 from a page after the result, Back does not show it again', { noise: true }, async (page) => {
  await answered(page);
  await page.locator('main a[href="/paths/why-it-holds"]').click();
  await page.waitForURL('**/paths/why-it-holds');
  await back(page);
  assert.doesNotMatch(await seen(page), /Your reflection|Something in you/);
});

scene(world, 'E27 a browser that keeps the result keeps it empty, and begins again', {}, async (page) => {
  await answered(page);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  assert.doesNotMatch(await seen(page), /Your reflection|The pull/);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await page.getByRole('button', { name: 'Begin' }).waitFor();
  assert.ok((await entries(page)).every(({ title }) => !title.includes('reflection')));
});

scene(world, 'A6 the log of the program says which pages were sent, and no answer', {}, async (page) => {
  await reflection({ 1: 'yes', 6: 'unsure', 16: 'skip' })(page);
  const lines = world.site.log().split('\n').filter((line) => line.includes('/self-assessment'));
  assert.ok(lines.length > 0, 'the requests are in the log');
  for (const line of lines) assert.doesNotMatch(line, /\bq\d|yes|unsure|skip/);
});
