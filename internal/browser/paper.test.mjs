/**
 * Reading: what an article weighs, how its text is set, and how it prints
 * (reader-H30, reader-H31, reader-H32).
 */
import assert from 'node:assert/strict';
import { scene, stage } from './harness.mjs';
import { articles, contrasts } from './sight.mjs';
import { get } from './wire.mjs';

const world = stage();
const kb = 1024;

for (const article of articles) {
  scene(world, `reader-H30 ${article} keeps the bounds: 40 KB, 4 requests, 5 KB of script`, {}, async (page) => {
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(article, { waitUntil: 'networkidle' });
    const icon = await page.locator('link[rel~=icon]').evaluate((link) => link.href);
    const parts = [];
    for (const url of new Set([...asked, icon])) parts.push(await get(url));
    const sum = (kind, what = 'bytes') => parts.filter(({ type }) => type.includes(kind)).reduce((bytes, part) => bytes + part[what], 0);
    const [all, script, paint] = [sum(''), sum('javascript'), sum('html', 'body') + sum('css', 'body')];
    console.log(`# ${article}: ${parts.length} requests, ${all} bytes; HTML and CSS ${paint}, script ${script}`);
    assert.ok(parts.every(({ status }) => status === 200));
    assert.ok(parts.length <= 4, `${parts.length} requests: ${parts.map(({ url }) => url).join(' ')}`);
    assert.ok(all <= 40 * kb, `${all} bytes`);
    assert.ok(script <= 5 * kb, `${script} bytes of script`);
    assert.ok(paint <= 14 * kb, `${paint} bytes of HTML and CSS`);
    assert.ok(parts.filter(({ type }) => /html|css|javascript|svg/.test(type)).every(({ encoding, bytes }) => encoding || bytes < 2 * kb), 'all text is compressed');
  });

  for (const dark of [false, true]) {
    scene(world, `reader-H32 ${article} is set for tired eyes, ${dark ? 'dark' : 'light'}`, { width: 1440, height: 900, dark }, async (page) => {
      await page.goto(article);
      const paragraphs = await page.locator('main > p, main article > p').evaluateAll((all) => all.filter((p) => p.textContent.length > 200).map((p) => {
        const style = getComputedStyle(p);
        const lines = Math.round(p.getBoundingClientRect().height / parseFloat(style.lineHeight));
        return {
          measure: p.textContent.trim().replaceAll(/\s+/g, ' ').length / lines, lines, family: style.fontFamily,
          leading: parseFloat(style.lineHeight) / parseFloat(style.fontSize), align: style.textAlign, size: parseFloat(style.fontSize), hyphens: style.hyphens,
        };
      }));
      assert.ok(paragraphs.length > 5, `${paragraphs.length} long paragraphs`);
      for (const p of paragraphs) {
        assert.ok(p.measure <= 80 && (p.lines < 4 || p.measure > 45), `${p.measure} characters a line`);
        assert.ok(p.leading >= 1.5 && p.leading <= 1.75, `line height ${p.leading}`);
        assert.ok(p.size >= 18, `${p.size} px`);
        assert.ok(['left', 'start'].includes(p.align) && p.hyphens !== 'auto');
        assert.match(p.family, /serif/);
      }
      const faint = (await contrasts(page, 'main p, main li, main h1, main h2')).filter(({ ratio, text }) => text && ratio < 7);
      assert.deepEqual(faint, []);
    });
  }
}

scene(world, 'reader-H31 a printed article is whole, whatever the window', { width: 1400, height: 900 }, async (page) => {
  await page.goto(articles[1]);
  const onScreen = await page.evaluate(() => document.querySelector('main').textContent.replaceAll(/\s+/g, ' '));
  await page.emulateMedia({ media: 'print' });
  const wide = await printed(page);
  await page.setViewportSize({ width: 400, height: 900 });
  const slim = await printed(page);
  assert.deepEqual(slim, wide);
  assert.deepEqual(wide.shown, [], 'nothing but the article');
  assert.equal(wide.colours, 'rgb(0, 0, 0) on rgb(255, 255, 255)');
  assert.ok(wide.points >= 10.5 && wide.points <= 12.5, `${wide.points} pt`);
  for (const address of wide.addresses) assert.ok(wide.text.includes(address), `${address} is printed`);
  assert.ok(wide.addresses.length >= 3, 'the sources have addresses');
  assert.ok(wide.contents.length >= 3 && wide.contents.every((line) => wide.text.includes(line)), 'what is folded is opened');
  assert.match(wide.text, /emergency number/);
  assert.ok(onScreen.length > 4_000);
  await page.emulateMedia({ media: null });
  const sheets = async () => (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g).length;
  const pages = await sheets();
  await page.setViewportSize({ width: 1400, height: 900 });
  assert.equal(await sheets(), pages, 'as many sheets from either window');
  assert.ok(pages >= 2 && pages <= 8, `${pages} sheets`);
});

async function printed(page) {
  return page.evaluate(() => {
    const text = [...document.querySelectorAll('main > p, main article > p')].find((p) => p.textContent.length > 200);
    const style = getComputedStyle(text);
    const visible = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility()).map((e) => e.outerHTML.slice(0, 60));
    const ground = getComputedStyle(document.body).backgroundColor;
    return {
      shown: visible('[data-exit], header nav, .skips, footer ul, .invite, [popover]'),
      points: parseFloat(style.fontSize) * 0.75,
      colours: `${style.color} on ${ground === 'rgba(0, 0, 0, 0)' ? 'rgb(255, 255, 255)' : ground}`,
      text: document.querySelector('main').innerText.replaceAll(/\s+/g, ' ').replaceAll('\u200b', ''),
      addresses: [...document.querySelectorAll('.sources a[href^="https://"]')].map((a) => a.href.replace(/^https:\/\/(www\.)?/, '').replace(/\/$/, '')),
      contents: [...document.querySelectorAll('main details li')].map((li) => li.textContent.trim().replaceAll(/\s+/g, ' ')),
    };
  });
}
