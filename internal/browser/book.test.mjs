/**
 * The second journey: a call is booked, moved, found again and cancelled, on a phone's
 * screen, with and without script (booking-H24, booking-H39, booking-H40).
 */
import assert from 'node:assert/strict';
import { scene, stage, visit } from './harness.mjs';
import { book, bookingForm, chooseTime, chooseZone, phoneNumber, pick, said, send } from './booking.mjs';
import { links, mails, waitForMail } from './mail.mjs';
import { seen } from './sight.mjs';

const world = stage();
const zone = 'Europe/Madrid';
// Words that would tell somebody else what a message is about (rule R22).
const telling = /trauma|abus|narciss|therap|bond|violen|counsel|healing|survivor|toxic|victim/i;

// Every test books other times, so that none is in another's way.
let nextTime = 0;
const freshTime = () => { nextTime += 1; return nextTime; };

for (const js of [true, false]) {
  const named = js ? 'with script' : 'booking-H40 without script';

  scene(world, `${named}: zone, time, answers, a wrong number, booked, moved, found, cancelled`, { js, zone }, async (page) => {
    await page.goto('/');
    await page.locator('header a[href="/consult"]').first().click();
    if (js) { // the device's zone is shown without asking, and can be changed
      await page.waitForURL(/\/consult\?zone=Europe%2FMadrid$/);
      await chooseZone(page, 'Europe/London');
    }
    await chooseZone(page, zone);
    assert.match(await seen(page), /Times are in Madrid time/);
    const slot = await wrongNumberKeepsAll(page, js);
    await page.locator('input[name=phone]').fill(phoneNumber(js ? 1 : 2));
    await send(page);
    const path = await ownPage(page, slot);
    await calendarEntry(page, path, slot);
    const moved = await moveIt(page, path);
    await findIt(page, path, moved);
    await cancelIt(page, path);
  });

  scene(world, `${named}: no e-mail is asked for, and none is sent`, { js }, async (page) => {
    const before = mails(world.site).length;
    const { path } = await book(page, { name: 'Kim', time: freshTime() });
    assert.match(await seen(page), /You call us/);
    // The owner's message comes after the booking, so nothing to the visitor is still to come.
    await waitForMail(world.site, (mail) => /owner@/.test(mail.headers.get('to')) && mails(world.site).length > before);
    assert.deepEqual(mails(world.site).slice(0, -before || undefined).map((m) => m.headers.get('to')).filter((to) => !/owner@/.test(to)), []);
    assert.equal(new URL(page.url()).pathname, path);
  });

  scene(world, `${named}: a mail that was asked for is discreet, and its link opens the page`, { js }, async (page) => {
    const email = `reader${js ? 1 : 2}@example.com`;
    const { path, slot } = await book(page, { name: 'Kim', time: freshTime(), email });
    const mail = await waitForMail(world.site, ({ headers }) => headers.get('to').includes(email));
    const { day, clock } = said(slot, 'Europe/London');
    assert.equal(mail.headers.get('subject'), `Confirmed: ${day}, ${clock}`);
    assert.doesNotMatch(mail.headers.get('from') + mail.headers.get('subject') + mail.text, telling);
    assert.doesNotMatch(mail.text, /Kim|Steadier/);
    assert.equal(mail.html, '');
    assert.deepEqual(links(mail), [world.site.url + path]);
    await page.goto(links(mail)[0]);
    await page.locator(`form[action="${path}/email"] button`).click();
    await page.locator(`form[action="${path}/email"]`).waitFor({ state: 'detached' });
    assert.match(await seen(page), /We will not write/);
  });
}

// Sends the form with a number that is too short: all that was typed comes back.
async function wrongNumberKeepsAll(page, js) {
  const typed = { name: 'Robin', phone: '+34 612 34', caller: 'the library', stop_word: 'Lemon' };
  const slot = await chooseTime(page, freshTime());
  for (const [name, value] of Object.entries(typed)) await page.locator(`input[name=${name}]`).fill(value);
  await pick(page, 'answer', 'ask');
  await pick(page, 'dropped', 'once');
  await pick(page, 'voicemail', 'yes');
  const answer = page.waitForResponse((r) => r.request().method() === 'POST');
  await send(page);
  assert.equal((await answer).status(), 422);
  const link = page.locator('[data-summary] a[href="#phone"]');
  await link.waitFor();
  assert.match(await page.title(), /^Error: /);
  for (const [name, value] of Object.entries(typed)) assert.equal(await page.locator(`input[name=${name}]`).inputValue(), value);
  for (const [name, value] of [['answer', 'ask'], ['dropped', 'once'], ['voicemail', 'yes'], ['call', 'me'], ['slot', slot]]) {
    assert.ok(await page.locator(`input[name=${name}][value="${value}"]`).first().isChecked(), `${name} is kept`);
  }
  assert.equal(await page.locator('select[name=zone]').inputValue(), zone);
  assert.match(await page.locator('#phone-e').innerText(), /phone number/);
  if (js) assert.ok(await page.locator('[data-summary]').evaluate((e) => e === document.activeElement), 'the summary has the focus');
  await link.click();
  assert.ok(await page.locator('#phone').evaluate((e) => e === document.activeElement), 'the link leads to the field');
  return slot;
}

async function ownPage(page, slot) {
  await page.waitForURL(/\/consult\/[A-Za-z0-9_-]{20,}$/);
  const { day, clock } = said(slot, zone);
  const text = await seen(page);
  assert.equal(await page.locator('h1').innerText(), 'Your call is booked');
  assert.match(await page.title(), /^Appointment/);
  assert.ok(text.includes(day) && text.includes(clock), `${day}, ${clock} is on the page`);
  assert.match(text, /Madrid time/);
  assert.doesNotMatch(text, /Robin|Lemon|library|555/, 'nothing that was typed is shown');
  return new URL(page.url()).pathname;
}

async function calendarEntry(page, path, slot) {
  const link = page.locator(`a[href="${path}/invite.ics"]`);
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  assert.equal(download.suggestedFilename(), 'call.ics');
  const ics = await (await fetch(world.site.url + path + '/invite.ics')).text();
  const start = new Date(slot).toISOString().replaceAll(/[-:]|\.000/g, '');
  assert.match(ics, new RegExp(`DTSTART:${start}`));
  assert.match(ics, /SUMMARY:Call\r/);
  assert.doesNotMatch(ics, /ATTENDEE|ORGANIZER|VALARM|METHOD|Robin/);
}

async function moveIt(page, path) {
  const form = `form[action="${path}/move"]`;
  await page.locator(`details:has(> ${form}) > summary`).click();
  const slot = await chooseTime(page, freshTime() + 4, form);
  await send(page, form);
  const { day, clock } = said(slot, zone);
  await page.getByText(`${day}, ${clock}`, { exact: false }).first().waitFor();
  assert.equal(new URL(page.url()).pathname, path);
  return slot;
}

async function findIt(page, path, slot) {
  const code = await page.locator('b.code').innerText();
  assert.match(code, /^[a-z]+ [a-z]+ [a-z]+$/);
  await page.goto('/consult/find');
  await page.locator('input[name=code]').fill(code);
  await page.locator('input[name=name]').fill('Somebody else');
  await send(page, 'form[action="/consult/find"]');
  await page.locator('[data-summary]').waitFor();
  await page.locator('input[name=code]').fill(code.toUpperCase());
  await page.locator('input[name=name]').fill(' robin ');
  await send(page, 'form[action="/consult/find"]');
  await page.waitForURL(`**${path}`);
  assert.ok((await seen(page)).includes(said(slot, zone).day));
}

async function cancelIt(page, path) {
  await page.locator(`form[action="${path}/cancel"] button`).click();
  await page.getByRole('heading', { name: 'Your call is cancelled' }).waitFor();
  assert.equal(await page.locator(`form[action="${path}/cancel"]`).count(), 0);
}

scene(world, 'booking-H39 every time has a full spoken name, and its day says how many are free', { zone }, async (page) => {
  await page.goto('/consult?zone=Europe/London');
  const names = await page.locator(`${bookingForm} .day`).first().locator('input[name=slot]')
    .evaluateAll((all) => all.map((radio) => radio.getAttribute('aria-label')));
  const full = /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day \d{1,2} [A-Z][a-z]+, \d\d:\d\d \(.+\), London time, UTC[+−]\d/;
  for (const name of names) assert.match(name, full);
  assert.ok(names.length > 0);
  const day = page.getByRole('group', { name: /day/i }).filter({ has: page.locator('input[name=slot]') });
  assert.match(await page.locator(`${bookingForm} .day legend`).first().evaluate((e) => e.textContent), new RegExp(`${names.length} (free )?times`));
  assert.ok(await day.count() > 0);
});

scene(world, 'booking-H39 a call is booked by keyboard alone', { width: 1280, height: 900 }, async (page) => {
  await page.goto('/consult');
  const tabTo = async (selector) => {
    for (let press = 0; press < 60; press += 1) {
      if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not reach ${selector}`);
  };
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // skips to the page
  await tabTo('input[name=slot]');
  for (let press = freshTime(); press > 0; press -= 1) await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('input[name=slot]:checked').count(), 1);
  await tabTo('input[name=name]');
  await page.keyboard.type('Ash');
  await tabTo('input[name=call]');
  await page.keyboard.press('ArrowDown');
  assert.ok(await page.locator('input[name=call][value=you]').isChecked());
  await tabTo('input[name=remind], button[type=submit]:not([name=do])');
  await tabTo(`${bookingForm} button[type=submit]:not([name=do])`);
  await page.keyboard.press('Space');
  await page.waitForURL(/\/consult\/[A-Za-z0-9_-]{20,}$/);
  assert.match(await seen(page), /You call us/);
});

for (const js of [true, false]) {
  scene(world, `booking-H24 the second of two tabs is told that the time is taken, ${js ? 'with' : 'without'} script`, { js }, async (a) => {
    const b = await visit(world, { js });
    try {
      const opened = await b.goto('/consult');
      assert.equal(opened.headers()['cache-control'], 'no-store');
      const time = freshTime();
      const { slot } = await book(a, { name: 'Alex', time });
      await b.locator(`label:has(input[value="${slot}"])`).click();
      await b.locator('input[name=name]').fill('Billie');
      await pick(b, 'call', 'you');
      const answer = b.waitForResponse((r) => r.request().method() === 'POST');
      await send(b);
      assert.equal((await answer).status(), 409);
      await b.locator('[data-summary]').waitFor();
      assert.equal(await b.locator('input[name=name]').inputValue(), 'Billie');
      assert.equal(await b.locator(`input[value="${slot}"]`).count(), 0, 'the taken time is gone');
      assert.ok(await b.locator('.near input[name=slot]').count() > 0, 'near times are offered');
      await b.locator('.near label').first().click();
      await send(b);
      await b.waitForURL(/\/consult\/[A-Za-z0-9_-]{20,}$/);
      assert.deepEqual(b.problems, []);
    } finally {
      await b.context().close();
    }
  });
}
