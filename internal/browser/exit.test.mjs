/**
 * Leaving at once: what sets it off, what is seen and heard, and what follows
 * (cases reader-H02 to H17; rules E9 to E39 where no case covers them).
 * Where time matters the page runs on Playwright's clock.
 */
import assert from 'node:assert/strict';
import { entries, scene, stage } from './harness.mjs';
import { articles, exitOf, heard, pixels, seen, settle, tapExit } from './sight.mjs';

const world = stage();
const [article] = articles;
const atTarget = (page) => page.waitForURL(world.target.url);
const ours = (all) => all.filter(({ url }) => !url.startsWith('about:')).map(({ url }) => url);

// leaving is a scene with the target as `look.target` has it, its notes wiped.
function leaving(name, look, play) {
  scene(world, name, look, async (page) => {
    world.target.be(look.target ?? 'there');
    world.target.asked.length = 0;
    try {
      await play(page);
    } finally {
      world.target.be('there');
    }
  });
}

async function stillHere(page, address = article) {
  await settle(page);
  assert.equal(new URL(page.url()).pathname, address);
  assert.match(await seen(page), /Leave this site/);
  assert.notEqual(await seen(page), 'Loading.');
  assert.deepEqual(world.target.asked, []);
}

// frozen stops the page's clock, so that only the test moves it.
async function frozen(page, address) {
  const start = new Date('2026-12-01T22:30:00Z');
  await page.clock.install({ time: start });
  await page.goto(address);
  await page.clock.pauseAt(new Date(start.getTime() + 3_600_000));
}

leaving('reader-H02 without script the control is a link to the target', { js: false }, async (page) => {
  await page.goto(article);
  await exitOf(page).click();
  await atTarget(page);
  assert.equal(world.target.asked.length, 1);
});

leaving('reader-H03 Back after leaving shows the page before, not the article', {}, async (page) => {
  await page.goto('/');
  await page.locator(`main a[href="${article}"]`).first().click();
  await page.waitForURL(article);
  await tapExit(page);
  await atTarget(page);
  assert.deepEqual(ours(await entries(page)), [`${world.site.url}/`, world.target.url]);
  await page.goBack();
  assert.equal(page.url(), `${world.site.url}/`);
});

leaving('reader-H04 leaving the only page read leaves no way Back to the site', {}, async (page) => {
  await page.goto(article);
  await tapExit(page);
  await atTarget(page);
  assert.deepEqual(ours(await entries(page)), [world.target.url]);
});

leaving('reader-H05 while the target does not come the article is covered and silent', { target: 'nothing' }, async (page) => {
  await page.goto(article);
  const title = await page.locator('h1').innerText();
  await tapExit(page);
  assert.equal(await seen(page), 'Loading.');
  assert.ok(!(await heard(page)).includes(title), 'the article is gone from the accessibility tree');
  const uncovered = await page.evaluate(() => {
    const shown = [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && e.innerText === 'Loading.');
    const out = [];
    for (let x = 1; x < innerWidth; x += innerWidth / 6) {
      for (let y = 1; y < innerHeight; y += innerHeight / 6) {
        const top = document.elementFromPoint(x, y);
        if (top !== document.documentElement && !shown.includes(top)) out.push(`${x},${y}: ${top?.outerHTML.slice(0, 60)}`);
      }
    }
    return out;
  });
  assert.deepEqual(uncovered, [], 'the cover is the top of every point');
  const view = await pixels(page);
  assert.equal(new Set(view.corners).size, 1, `one colour from edge to edge: ${view.corners}`);
  assert.ok(view.light > 0.97, `a plain light page, ${view.light} of it`);
});

leaving('reader-H05 reader-H08 while the target hangs, another tab of the site sees nothing but “Loading.”', { target: 'hanging' }, async (page) => {
  await page.goto('/about');
  const [tab] = await Promise.all([page.waitForEvent('popup'), page.evaluate((path) => { window.tab = open(path); }, article)]);
  await tab.waitForLoadState();
  await tapExit(tab);
  const left = await page.evaluate(async () => {
    const { document: there } = window.tab;
    const look = () => there.documentElement.innerText.trim();
    for (let tries = 0; look() !== 'Loading.' && tries < 100; tries += 1) await new Promise((resolve) => { setTimeout(resolve, 20); });
    return { text: look(), title: there.title, top: there.elementFromPoint(100, 300).innerText };
  });
  assert.deepEqual([left.text, left.top], ['Loading.', 'Loading.']);
  assert.doesNotMatch(left.title, /Steadier|bond/i);
  assert.equal(world.target.asked.length, 1);
});

leaving('reader-H06 after four seconds one plain link is offered, and the page never returns', { target: 'nothing' }, async (page) => {
  await frozen(page, article);
  await tapExit(page);
  const link = page.locator('a:visible');
  await page.clock.runFor(3_800);
  assert.equal(await link.count(), 0, 'no link before four seconds');
  await page.clock.runFor(2_200);
  assert.equal(await link.count(), 1, 'one link after six seconds');
  assert.equal(await link.evaluate((a) => a.href), world.target.url);
  const words = await seen(page);
  await page.clock.runFor(600_000);
  assert.equal(await seen(page), words, 'ten minutes later it is the same');
  assert.doesNotMatch(words, /Steadier|bond|abuse/i);
});

leaving('E22 the link on the cover leads to the target in this tab', { target: 'nothing' }, async (page) => {
  await frozen(page, article);
  await tapExit(page);
  await page.clock.runFor(4_200);
  world.target.be('there');
  const box = await page.locator('a:visible').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await atTarget(page);
  assert.deepEqual(ours(await entries(page)), [world.target.url], 'the article is no entry');
});

leaving('reader-H07 at night the cover is dark, with no white area', { target: 'nothing', dark: true }, async (page) => {
  await page.goto(article);
  await tapExit(page);
  await settle(page);
  const view = await pixels(page);
  assert.ok(view.dark > 0.97, `dark: ${view.dark}`);
  assert.ok(view.light < 0.02, `light: ${view.light}`);
  assert.equal(new Set(view.corners).size, 1, `${view.corners}`);
});

leaving('reader-H08 the cover says only “Loading.”', { target: 'nothing' }, async (page) => {
  await page.goto(article);
  await tapExit(page);
  assert.equal(await seen(page), 'Loading.');
  assert.deepEqual([...new Set((await heard(page)).split(/(?<=\.) /))], ['Loading.']);
  assert.doesNotMatch(await page.title(), /Steadier|bond/i);
  assert.equal(await page.locator('img:visible, svg:visible').count(), 0);
});

leaving('reader-H09 Shift three times, a second apart, leaves', {}, async (page) => {
  await frozen(page, article);
  for (let press = 0; press < 3; press += 1) {
    if (press) await page.clock.runFor(1_000);
    await page.keyboard.press('Shift');
  }
  await atTarget(page);
});

leaving('reader-H10 slow keys: 4.5 seconds between presses still leaves', {}, async (page) => {
  await frozen(page, article);
  for (let press = 0; press < 3; press += 1) {
    if (press) await page.clock.runFor(4_500);
    await page.keyboard.press('Shift');
  }
  await atTarget(page);
});

leaving('reader-H11 5.5 seconds between presses begins the count again', {}, async (page) => {
  await frozen(page, article);
  await page.keyboard.press('Shift');
  await page.clock.runFor(5_500);
  await page.keyboard.press('Shift');
  await page.keyboard.press('Shift');
  await stillHere(page);
  await page.keyboard.press('Shift');
  await atTarget(page);
});

leaving('reader-H12 capitals and Shift+Tab in a form never count', { width: 1280 }, async (page) => {
  await page.goto('/consult');
  await page.locator('input[name=name]').focus();
  for (const letter of 'ABC') await page.keyboard.press(`Shift+${letter}`);
  assert.equal(await page.locator('input[name=name]').inputValue(), 'ABC');
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('Shift+Tab');
  await stillHere(page, '/consult');
  assert.equal(await announced(page), '', 'no count is shown');
});

leaving('E12 another key, or Shift with an arrow, begins the count again', {}, async (page) => {
  await page.goto(article);
  for (const between of ['a', 'Shift+ArrowDown', 'Tab']) {
    await page.keyboard.press('Shift');
    await page.keyboard.press('Shift');
    await page.keyboard.press(between);
  }
  await stillHere(page);
});

leaving('E13 on a phone nothing typed into a field counts, nor a key without a code', { hasTouch: true, isMobile: true }, async (page) => {
  await page.goto('/consult');
  assert.ok(await page.evaluate(() => matchMedia('(pointer: coarse)').matches), 'the pointer is coarse');
  await page.locator('input[name=name]').focus();
  for (let press = 0; press < 6; press += 1) await page.keyboard.press('Shift');
  await stillHere(page, '/consult');
  await page.evaluate(() => document.activeElement.blur());
  const session = await page.context().newCDPSession(page);
  for (let press = 0; press < 6; press += 1) {
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Shift', code: '', windowsVirtualKeyCode: 16 });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Shift', code: '', windowsVirtualKeyCode: 16 });
  }
  await stillHere(page, '/consult');
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Shift');
  await atTarget(page);
});

leaving('reader-H14 Esc does nothing', {}, async (page) => {
  await page.goto(article);
  const before = await seen(page);
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
  await stillHere(page);
  assert.equal(await seen(page), before);
});

leaving('reader-H15 by keyboard the same tab leaves, and no other is asked for', {}, async (page) => {
  await page.goto(article);
  let tabs = 0;
  page.context().on('page', () => { tabs += 1; });
  await exitOf(page).focus();
  await page.keyboard.press('Enter');
  await atTarget(page);
  assert.equal(tabs, 0);
  assert.equal(await page.evaluate(() => window.opener), null);
});

leaving('reader-H16 another script that throws does not stop it', { target: 'nothing', noise: true }, async (page) => {
  // Whatever runs beside the exit finds the browser broken, at load and after.
  await page.addInitScript(() => {
    for (const [owner, name] of [[Intl, 'DateTimeFormat'], [Element.prototype, 'closest'], [Element.prototype, 'showPopover']]) {
      owner[name] = () => { throw new Error('broken on purpose'); };
    }
  });
  await page.route('**/*.js', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${await answer.text()}\n;throw new Error("broken on purpose")` });
  });
  await page.goto('/consult');
  await tapExit(page);
  assert.equal(await seen(page), 'Loading.');
  assert.ok(page.problems.some((line) => line.includes('broken on purpose')), 'a script did throw');
});

// Trusted types refuse a second script tag, so this page is read without the policy.
leaving('reader-H17 loaded twice, it counts once and says so once', { bypassCSP: true }, async (page) => {
  await page.goto(article);
  await page.keyboard.press('Shift');
  const once = await announced(page);
  await page.keyboard.press('Escape');
  const source = await page.locator('script[src]').first().getAttribute('src');
  await page.addScriptTag({ url: `${source}?again` });
  await page.keyboard.press('Shift');
  assert.equal(await announced(page), once);
  await page.keyboard.press('Shift');
  await stillHere(page);
  await page.keyboard.press('Shift');
  await atTarget(page);
});

leaving('E9 the first Tab skips to the page, the second leaves, the main control is next', {}, async (page) => {
  await page.goto(article);
  const focused = () => page.evaluate(() => {
    const { href, innerText: text, dataset } = document.activeElement;
    return { href: new URL(href).hash || href, text, main: 'exit' in dataset };
  });
  await page.keyboard.press('Tab');
  assert.deepEqual((await focused()).href, '#main');
  await page.keyboard.press('Tab');
  const skip = await focused();
  assert.equal(skip.href, world.target.url);
  assert.match(skip.text, /^Leave this site/);
  assert.equal(skip.main, false);
  await page.keyboard.press('Tab');
  assert.deepEqual(await focused(), { href: world.target.url, text: 'Leave this site', main: true });
});

leaving('E9 the second skip link covers the page too', { target: 'nothing' }, async (page) => {
  await page.goto(article);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await seen(page), 'Loading.');
});

leaving('E10 at most two short messages are announced, and “Loading.” at the end', { target: 'nothing' }, async (page) => {
  await page.goto(article);
  assert.equal(await announced(page), '', 'silent before the first press');
  const said = [];
  for (let press = 0; press < 2; press += 1) {
    await page.keyboard.press('Shift');
    said.push(await announced(page));
  }
  assert.ok(said.every((text) => text.length > 0 && text.length <= 60), `short: ${said}`);
  assert.ok(said.every((text) => !/abuse|exit|escape|bond|danger/i.test(text)), `calm: ${said}`);
  await page.keyboard.press('Shift');
  assert.equal(await page.locator('[role=alert]:visible').innerText(), 'Loading.');
});

async function announced(page) {
  return page.locator('[role=status], [aria-live=polite]').evaluateAll((all) => all.map((e) => e.textContent.trim()).join(' ').trim());
}

leaving('E14 links within the page add no entry to the history', {}, async (page) => {
  await page.goto(article);
  const before = (await entries(page)).length;
  await page.locator('details summary').first().click();
  for (const kind of ['details a[href^="#"]', 'sup a[href^="#"]']) {
    const link = page.locator(`main ${kind}`).first();
    const hash = await link.getAttribute('href');
    await link.click();
    if (kind.startsWith('sup')) await page.getByRole('link', { name: 'In the list' }).click();
    assert.equal(new URL(page.url()).hash, hash);
    assert.ok(await page.locator(`[id="${hash.slice(1)}"]`).evaluate((e) => {
      const { top } = e.getBoundingClientRect();
      return top >= -1 && top < innerHeight;
    }), `${hash} is in view`);
  }
  assert.equal((await entries(page)).length, before);
  await tapExit(page);
  await atTarget(page);
  assert.deepEqual(ours(await entries(page)), [world.target.url]);
});

for (const [how, press] of [['Ctrl', { modifiers: ['Control'] }], ['the middle button', { button: 'middle' }]]) {
  leaving(`E15 a press with ${how} opens the target and hides this page`, {}, async (page) => {
    await page.goto(article);
    const [tab] = await Promise.all([page.context().waitForEvent('page'), exitOf(page).click(press)]);
    await tab.waitForURL(world.target.url);
    assert.doesNotMatch(await seen(page), /bond|Steadier/i);
    assert.doesNotMatch(await page.title(), /bond|Steadier/i);
    assert.equal(await tab.evaluate(() => window.opener), null);
  });
}

leaving('E17 a double tap asks once and uncovers nothing', { target: 'nothing' }, async (page) => {
  await page.goto(article);
  const box = await exitOf(page).boundingBox();
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  for (let press = 0; press < 6; press += 1) await page.keyboard.press('Shift');
  await settle(page);
  assert.equal(await seen(page), 'Loading.');
  await page.waitForTimeout(100);
  assert.equal(world.target.asked.length, 1);
});

leaving('E18 hiding, title and fields are done in the same task as the press', { target: 'nothing' }, async (page) => {
  await page.goto('/consult');
  await page.locator('input[name=name]').fill('Robin');
  await page.evaluate(() => {
    window.addEventListener('click', () => {
      window.then = {
        text: document.documentElement.innerText.trim(), title: document.title,
        names: [...document.querySelectorAll('input[name=name]')].map((field) => field.value),
      };
    });
  });
  await tapExit(page);
  const then = await page.evaluate(() => window.then);
  assert.equal(then.text, 'Loading.');
  assert.doesNotMatch(then.title, /Steadier|time|call/i);
  assert.deepEqual(then.names.filter(Boolean), []);
});

leaving('E20 E35 the target is asked for, plainly, and nobody else', {}, async (page) => {
  await page.goto('/consult', { waitUntil: 'networkidle' });
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await tapExit(page);
  await atTarget(page);
  assert.deepEqual(asked.filter((url) => !url.endsWith('/favicon.ico')), [world.target.url]);
  const [{ url, headers }] = world.target.asked;
  assert.equal(url, '/');
  assert.equal(headers.referer, undefined);
  assert.equal(headers.origin, undefined);
  assert.equal(await page.evaluate(() => document.referrer + window.name), '');
  assert.equal(await page.evaluate(() => window.opener), null);
});

leaving('E23 offline, the page that was left does not reappear', { noise: true }, async (page) => {
  await page.goto(article);
  await page.context().setOffline(true);
  const failed = page.waitForEvent('requestfailed');
  await tapExit(page);
  await failed;
  await page.waitForFunction(() => location.protocol === 'chrome-error:');
  assert.doesNotMatch(await seen(page), /bond|Steadier/i);
  assert.ok(!ours(await entries(page)).includes(world.site.url + article));
});

leaving('E39 nothing is stored, and no worker is left', {}, async (page) => {
  for (const address of ['/', article, '/consult', '/newsletter', '/support']) {
    await page.goto(address);
    await page.keyboard.press('Shift');
    const kept = await page.evaluate(async () => ({
      local: localStorage.length, session: sessionStorage.length, cookie: document.cookie,
      caches: (await caches.keys()).length, databases: (await indexedDB.databases()).length,
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      manifest: document.querySelectorAll('link[rel=manifest]').length,
    }));
    assert.deepEqual(kept, { local: 0, session: 0, cookie: '', caches: 0, databases: 0, workers: 0, manifest: 0 }, address);
  }
  assert.deepEqual(await page.context().cookies(), []);
});
