/**
 * The first journey: from the home page to an article, to a source and back, through
 * its contents and on to the next one, on a phone's screen, with and without script.
 */
import assert from 'node:assert/strict';
import { scene, stage } from './harness.mjs';
import { articles, seen } from './sight.mjs';

const world = stage();
const [, article] = articles; // the one with the drawn figure

// inView waits until an element stands in the viewport, above the exit bar.
async function inView(page, id) {
  await page.waitForFunction((name) => {
    const { top } = document.getElementById(name).getBoundingClientRect();
    return top >= -1 && top < innerHeight * 0.9;
  }, id);
}

for (const js of [true, false]) {
  const how = js ? 'with script' : 'without script';

  scene(world, `${how}: home, an article, a source and back, contents, the next article`, { js }, async (page) => {
    await page.goto('/');
    await page.locator(`main a[href="${article}"]`).first().click();
    await page.waitForURL(`**${article}`);
    await answersInBrief(page);
    await toTheSourceAndBack(page);
    await throughTheContents(page);
    const next = page.locator('.related a[href^="/articles/"]').first();
    const path = await next.getAttribute('href');
    await next.click();
    await page.waitForURL(`**${path}`);
    assert.notEqual(path, article);
  });

  scene(world, `${how}: what a word means, in its place or in the glossary, and back to the article`, { js }, async (page) => {
    await page.goto(article);
    const term = page.locator('main a.term').first();
    const id = new URL(await term.evaluate((link) => link.href)).hash.slice(1);
    if (js) await throughTheDefinition(page, term);
    else await term.click();
    await page.waitForURL(`**/glossary#${id}`);
    await inView(page, id);
    await page.locator(`section[aria-labelledby="${id}"] a[href="${article}"]`).click();
    await page.waitForURL(`**${article}`);
  });

  scene(world, `${how}: from the home page along a path, from one article to the next and back`, { js }, async (page) => {
    await page.goto('/');
    await page.locator('main a[href^="/paths/"]').first().click();
    await page.waitForURL('**/paths/*');
    const steps = await page.locator('.steps h2 a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    assert.ok(steps.length > 2);
    await page.locator('.steps h2 a').first().click();
    for (const step of steps.slice(1)) {
      await page.locator('main a[rel=next]').click();
      await page.waitForURL(`**${step}`);
    }
    assert.equal(await page.locator('main a[rel=next]').count(), 0, 'the last leads no further');
    await page.locator('main a[rel=prev]').click();
    await page.waitForURL(`**${steps.at(-2)}`);
    await page.locator('.folio a[href^="/topics/"]').first().click();
    await page.locator(`main a[href="${steps.at(-2)}"]`).click();
  });

  scene(world, `${how}: help is one tap away, and other countries are in reach`, { js }, async (page) => {
    await page.goto(article);
    await page.locator('header a[href="/support"]').click();
    await page.waitForURL('**/support');
    assert.ok(await page.locator('main a[href^="tel:"]').count() > 3);
    const place = page.locator('main a[href^="#"]').last();
    const id = (await place.getAttribute('href')).slice(1);
    await place.click();
    await inView(page, id);
  });

  scene(world, `${how}: a page that does not exist shows the way on`, { js }, async (page) => {
    const answer = await page.goto('/no/such/page');
    assert.equal(answer.status(), 404);
    await page.locator('main a[href="/articles"]').first().click();
    await page.waitForURL('**/articles');
    for (const path of articles) assert.equal(await page.locator(`main a[href="${path}"]`).count(), 1, path);
  });
}

async function answersInBrief(page) {
  const text = await seen(page);
  assert.match(text, /In brief/);
  assert.match(text, /\d+ min/);
  assert.match(text, /Published \d{1,2} \w+ 20\d\d/);
  assert.match(text, /Not yet reviewed by a clinician|Reviewed by .+ on/);
  const drawing = page.locator('main figure svg[role=img]').first();
  assert.ok((await drawing.boundingBox()).width > 200);
  assert.match(await page.locator('main figure figcaption').first().innerText(), /sketch/i);
  assert.ok(await drawing.evaluate((svg) => svg.getAttribute('aria-label')
    || (svg.getAttribute('aria-labelledby') ?? '').split(' ').every((id) => document.getElementById(id)?.textContent)));
}

async function toTheSourceAndBack(page) {
  const cite = page.locator('main sup a[href^="#"]').first();
  const id = (await cite.getAttribute('href')).slice(1);
  await cite.click();
  const note = page.locator('.source-note');
  if (await note.count()) await throughTheNote(page, cite, note);
  await inView(page, id);
  const source = page.locator(`[id="${id}"]`);
  const link = page.locator('.sources a[href^="https://"]').first(); // not every work has one
  assert.match(await link.getAttribute('rel'), /noreferrer/);
  const back = source.locator('a[href^="#"]').first();
  const place = (await back.getAttribute('href')).slice(1);
  await back.click();
  await inView(page, place);
}

// With script the source opens below the paragraph. It can be closed, and leads to the list.
async function throughTheNote(page, cite, note) {
  assert.match(await note.innerText(), /study|theory|review|survey|guideline|book/i);
  assert.ok(await note.evaluate((e) => e === document.activeElement && !e.querySelector('[id]')));
  await page.keyboard.press('Escape');
  assert.equal(await note.count(), 0);
  assert.ok(await cite.evaluate((e) => e === document.activeElement), 'the focus is where it was');
  await page.keyboard.press('Enter');
  await note.getByRole('link', { name: 'In the list' }).click();
  await note.waitFor({ state: 'detached' });
}

// With script the definition opens below the paragraph, and the focus comes back.
async function throughTheDefinition(page, term) {
  const note = page.locator('.source-note');
  await term.click();
  assert.match(await note.innerText(), new RegExp(await term.innerText(), 'i'));
  assert.ok((await note.innerText()).length > 80, 'it says what the word means');
  assert.ok(await note.evaluate((e) => e === document.activeElement && !e.querySelector('[id]')));
  assert.ok(await note.evaluate((e) => !e.previousElementSibling.matches('ul, ol')), 'below its paragraph');
  const [line, box] = [await term.boundingBox(), await note.boundingBox()];
  assert.ok(box.y >= line.y + line.height - 1, 'the line stays in view');
  await note.getByRole('button', { name: 'Close' }).click();
  assert.equal(await note.count(), 0);
  assert.ok(await term.evaluate((e) => e === document.activeElement && e.getAttribute('aria-expanded') === 'false'));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  assert.equal(await note.count(), 0);
  await term.click();
  await note.getByRole('link', { name: 'In the glossary' }).click();
}

async function throughTheContents(page) {
  await page.locator('main details summary').first().click();
  const link = page.locator('main details a[href^="#"]').nth(1);
  const id = (await link.getAttribute('href')).slice(1);
  await link.click();
  await inView(page, id);
  assert.match(await page.locator(`[id="${id}"]`).evaluate((e) => e.tagName), /^H[23]$/);
}
