/**
 * The third journey: letters are asked for, confirmed by a press, and stopped, with
 * and without script (news-H09).
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { scene, stage } from './harness.mjs';
import { links, waitForMail } from './mail.mjs';
import { seen } from './sight.mjs';

const world = stage();
const to = (address) => ({ headers }) => headers.get('to')?.includes(address);
const path = (mail, part) => links(mail).map((link) => new URL(link).pathname).find((p) => p.includes(part));

// subscribe asks and confirms, by the page that the mail leads to.
async function subscribe(page, address) {
  await page.goto('/newsletter');
  await page.locator('input[name=email]').fill(address);
  await page.locator('form[action="/newsletter/subscribe"] button[type=submit]').click();
  await page.waitForURL('**/newsletter/asked');
  const mail = await waitForMail(world.site, to(address));
  await page.goto(path(mail, '/newsletter/confirm/'));
  return mail;
}

// letter sends the nth letter to everybody by command, as the owner does, and returns
// the one to an address. A letter goes out once, so every test sends another.
async function letter(n, address) {
  const slugs = readdirSync(join(world.site.content, 'newsletter')).filter((name) => /^[^_].*\.md$/.test(name)).sort();
  await world.site.run('newsletter', 'send', slugs[n].replace(/\.md$/, ''));
  return waitForMail(world.site, (mail) => to(address)(mail) && mail.headers.has('list-unsubscribe'));
}

for (const js of [true, false]) {
  const how = js ? 'with script' : 'without script';

  scene(world, `${how}: a wrong address comes back with what is to be put right`, { js }, async (page) => {
    await page.goto('/newsletter');
    await page.locator('input[name=email]').fill('reader@');
    await page.locator('form[action="/newsletter/subscribe"] button[type=submit]').click();
    await page.locator('[data-summary] a[href="#email"]').click();
    assert.equal(await page.locator('input[name=email]').inputValue(), 'reader@');
    assert.ok(await page.locator('#email').evaluate((e) => e === document.activeElement));
  });

  scene(world, `news-H09 ${how}: the page that confirms is hard to miss, and is done by one press`, { js }, async (page) => {
    const address = `news-${js ? 'a' : 'b'}@example.com`;
    const mail = await subscribe(page, address);
    assert.equal(mail.headers.get('subject'), 'Please confirm your address');
    assert.match(mail.text, /page with one button/);
    assert.doesNotMatch(mail.headers.get('from') + mail.headers.get('subject') + mail.text, /trauma|abuse|bond|Steadier/i);
    assert.equal(await page.locator('h1').count(), 1);
    assert.match(await page.locator('h1').innerText(), /one (more )?(step|press)/i);
    const button = page.locator('main button, main input[type=submit]');
    assert.equal(await button.count(), 1);
    const box = await button.boundingBox();
    assert.ok(box.y + box.height <= 600, `the button ends at ${box.y + box.height}`);
    assert.ok(!(await seen(page)).includes(address), 'the address is not shown');
    await button.click();
    await page.waitForURL('**/newsletter/done');
    assert.match(await seen(page), /It is done/);
  });

  scene(world, `${how}: the link under a letter opens a page with one button that stops them`, { js }, async (page) => {
    const address = `stop-${js ? 'a' : 'b'}@example.com`;
    await subscribe(page, address);
    await page.locator('main button').click();
    await page.waitForURL('**/newsletter/done');
    const mail = await letter(js ? 0 : 1, address);
    await page.goto(path(mail, '/newsletter/unsubscribe/'));
    assert.equal(await page.locator('main button').count(), 1);
    await page.locator('main button').click();
    await page.waitForURL('**/newsletter/done');
  });
}

scene(world, 'one-click: the mail program posts, and the address gets nothing more', {}, async (page) => {
  const address = 'oneclick@example.com';
  await subscribe(page, address);
  await page.locator('main button').click();
  await page.waitForURL('**/newsletter/done');
  const mail = await letter(2, address);
  assert.equal(mail.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  const [, link] = mail.headers.get('list-unsubscribe').match(/<(http[^>]+)>/);
  const answer = await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  assert.equal(answer.status, 200);
  const { stdout } = await world.site.run('subscribers', 'export', '-');
  assert.ok(!stdout.includes(address), 'the address is gone');
});
