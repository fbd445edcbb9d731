/**
 * What is true of every page: a crawl over all links, then each template and state
 * judged for markup, barriers and room (reader-H01, reader-H20, reader-H30).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawl, read } from './crawl.mjs';
import { scene, stage } from './harness.mjs';
import { barriers, faults } from './markup.mjs';
import { states } from './states.mjs';

let met = new Map();
let desk;
const world = stage({}, async ({ browser, site }) => {
  desk = await browser.newPage();
  met = await crawl(site, desk);
});
const pages = () => [...met].filter(([, page]) => page.html);

// each runs a check on every page of the crawl and tells all that failed at once.
async function each(check) {
  assert.ok(pages().length > 8, `the crawl met ${pages().length} pages`);
  const wrong = [];
  for (const [path, page] of pages()) {
    for (const line of await check(page, path)) wrong.push(`${path}: ${line}`);
  }
  assert.deepEqual(wrong, []);
}

const unless = (fine, line) => (fine ? [] : [line]);

test('every link and asset answers 200', () => {
  const wrong = [...met].filter(([, { status }]) => status !== 200).map(([path, { status, from }]) => `${path} is ${status}, linked from ${from}`);
  assert.deepEqual(wrong, []);
});

test('every page is valid HTML', () => each((page, path) => faults(page.html, path)));

test('every page has one h1, a language, and a title of its own that ends with the name', async () => {
  const titles = new Map();
  await each((page, path) => {
    const twin = titles.get(page.title);
    titles.set(page.title, path);
    return [
      ...unless(page.headings.length === 1 && page.headings[0], `h1: ${page.headings}`),
      ...unless(page.lang === 'en', `lang: ${page.lang}`),
      ...unless(/(^| – )Steadier$/.test(page.title), `title: ${page.title}`),
      ...unless(twin === undefined || path.includes('?'), `title is that of ${twin}`),
    ];
  });
});

test('reading pages have one canonical address, their own', () => each((page, path) => {
  if (page.forms.length > 0 || page.robots.includes('noindex')) return unless(page.canonical.length <= 1, `${page.canonical}`);
  return unless(page.canonical.length === 1 && page.canonical[0] === world.site.url + path.replace(/\?.*/, ''), `canonical: ${page.canonical}`);
}));

test('every link into a page finds its place', () => each((page, path) => page.links.flatMap((link) => {
  const { href, hash, origin } = new URL(link);
  if (origin !== world.site.url || !hash) return [];
  const there = met.get(href.slice(origin.length).replace(/#.*/, ''));
  return unless(there?.ids?.includes(decodeURIComponent(hash.slice(1))), `${link.slice(origin.length)} leads nowhere`);
})));

test('no id stands twice on a page', () => each((page) => page.ids.filter((id, at) => page.ids.indexOf(id) !== at)));

test('nothing is escaped twice, and no Markdown is left over', () => each((page) => [
  ...(page.html.match(/&amp;(amp|lt|gt|quot|#\d+);/g) ?? []),
  ...unless(!/&(amp|lt|gt|quot|#\d+);|\[@|\]\(|\*\*|&lt;/.test(page.text), 'leftovers in the text'),
  ...unless(!/[<>]|&\w+;/.test(page.title), `title: ${page.title}`),
]));

test('no style, script or handler stands in a page', () => each((page) => [...page.handlers, ...page.inline]));

test('links to other sites open in this tab and send no referrer', () => each((page) => page.outside
  .filter(({ href }) => !href.startsWith(world.site.url) && !href.startsWith(world.target.url))
  .flatMap(({ href, rel, target }) => unless(rel.includes('noreferrer') && !target, `${href}: rel=${rel} target=${target}`))));

test('reader-H01 every page has one main exit and one more link to the same address', () => each((page) => exits(page)));

function exits(page) {
  const { url } = world.target;
  return [
    ...unless(page.exits.length === 1 && page.exits[0].href === url, `main: ${JSON.stringify(page.exits)}`),
    ...unless(page.exits[0]?.text.startsWith('Leave this site'), `label: ${page.exits[0]?.text}`),
    ...unless(page.links.filter((link) => link === url).length >= 2, 'no skip link'),
  ];
}

test('E29 E30 headers: no referrer, no cookie, no other host, and no store for forms', () => each((page) => {
  const header = (name) => page.headers.get(name) ?? '';
  const form = page.html.includes('name="key"');
  return [
    ...unless(header('referrer-policy') === 'no-referrer', `Referrer-Policy: ${header('referrer-policy')}`),
    ...unless(header('set-cookie') === '', `Set-Cookie: ${header('set-cookie')}`),
    ...unless(header('link') === '', `Link: ${header('link')}`),
    ...unless(header('clear-site-data') === '', `Clear-Site-Data: ${header('clear-site-data')}`),
    ...unless(/default-src 'none'.*frame-ancestors 'none'/.test(header('content-security-policy')), header('content-security-policy')),
    ...unless(form ? header('cache-control') === 'no-store' : header('cache-control') === 'no-cache' && header('etag').startsWith('"'), `Cache-Control: ${header('cache-control')} ETag: ${header('etag')}`),
    ...unless(!/rel="?(preconnect|prefetch|dns-prefetch|manifest)|speculationrules/.test(page.html), 'a hint to load more'),
  ];
}));

test('every address is looked at below as a template', () => {
  const unknown = pages().map(([path]) => path.replace(/\?.*/, '')).filter((path) => !states.some(({ template }) => template?.test(path)));
  assert.deepEqual(unknown, []);
});

scene(world, 'reader-H30 every page loads from this host only, without a word in the console', { width: 1280 }, async (page) => {
  for (const [path] of pages()) {
    await page.goto(path, { waitUntil: 'load' });
    assert.deepEqual([...page.hosts], [world.site.url], path);
    assert.deepEqual(page.problems, [], path);
    assert.deepEqual(await page.evaluate(() => performance.getEntriesByType('resource').filter((e) => /font|\.woff/.test(e.name)).map((e) => e.name)), []);
  }
});

const places = new Map();

for (const state of states) {
  scene(world, `${state.name}: markup, barriers in both themes at 320 and 1280, and room`, { width: 320, strangers: state.name === 'other-host', noise: state.name === 'other-host', bypassCSP: true }, async (page) => {
    let sent;
    page.on('response', (answer) => { if (answer.request().isNavigationRequest() && answer.frame() === page.mainFrame()) sent = answer; });
    await state.open(page, world);
    assert.equal(sent.status(), state.status);
    const html = await sent.text();
    assert.deepEqual(await faults(html, state.name), []);
    const facts = await read(desk, html, page.url());
    assert.deepEqual(exits(facts), []);
    assert.equal(facts.headings.length, 1);
    assert.deepEqual(await narrow(page), []);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await barriers(page, { colours: colorScheme === 'dark' }), [], `${colorScheme}, ${width}`);
      }
    }
    await measureExit(page, state.name);
  });
}

// What sticks out at 320 pixels, as it is and with the spacing of WCAG 1.4.12; and
// whatever else than the exit is fixed to the screen (E5).
async function narrow(page) {
  const out = await page.evaluate(sticksOut);
  const fixed = await page.evaluate(() => [...document.querySelectorAll('body *')]
    .filter((e) => ['fixed', 'sticky'].includes(getComputedStyle(e).position) && !e.contains(document.querySelector('[data-exit]')))
    .filter((e) => e.checkVisibility()).map((e) => `fixed: ${e.outerHTML.slice(0, 80)}`));
  await page.addStyleTag({ content: '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }' });
  const spaced = await page.evaluate(sticksOut);
  await page.locator('style').last().evaluate((style) => style.remove());
  return [...out, ...fixed, ...spaced.map((line) => `with more space: ${line}`)];
}

function sticksOut() {
  if (document.scrollingElement.scrollWidth <= innerWidth) return [];
  return [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
    .slice(-3).map((e) => `sticks out: ${e.outerHTML.slice(0, 100)}`);
}

async function measureExit(page, name) {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const box = await page.locator('a[data-exit]').boundingBox();
    const place = JSON.stringify(Object.values(box).map(Math.round));
    const at = places.get(width) ?? new Map();
    places.set(width, at.set(place, [...(at.get(place) ?? []), name]));
    assert.ok(box.height >= 44, `${box.height} px high at ${width}`);
  }
}

test('reader-H20 the exit has the same place on every page, at three widths', () => {
  assert.equal(places.size, 3);
  for (const [width, at] of places) assert.equal(at.size, 1, `${width}: ${JSON.stringify([...at])}`);
});
