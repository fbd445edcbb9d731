/**
 * The owner at the desk: every page of theirs, on a phone and on a screen, in both themes,
 * with a call, a closed time and a letter; and what they do there.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { book } from './booking.mjs';
import { artefacts, scene, stage } from './harness.mjs';
import { barriers, faults } from './markup.mjs';

const world = stage({}, async (w) => { w.site.url = w.site.url.replace('127.0.0.1', 'localhost'); });
const pages = ['', '/bookings', '/subscribers', '/letters', '/deliveries', '/content', '/care', '/access'];

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const at = (page, path) => page.waitForURL((url) => url.pathname === path);

/** Signs a new owner in by a passkey. */
async function signIn(page, name) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto((await world.site.run('owner', 'add', name)).stdout.trim());
  await press(page, 'Make a passkey');
  await page.getByRole('link', { name: 'I have written them down' }).click();
  await at(page, '/admin/access');
}

async function look(page, path, name) {
  const answer = await page.goto(path);
  assert.equal(answer.status(), 200, path);
  mkdirSync(join(artefacts, 'owner'), { recursive: true });
  await page.screenshot({ path: join(artefacts, 'owner', `${name}.png`), fullPage: true });
  assert.deepEqual(await faults(await answer.text(), path), [], path);
  assert.deepEqual(await barriers(page, { colours: true }), [], path);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wide, 0, `${path} is not wider than the screen`);
}

for (const view of [{ width: 360, height: 740 }, { width: 1280, height: 900, colorScheme: 'dark' }]) {
  scene(world, `every page of the owner's at ${view.width} px`, view, async (page) => {
    await book(page, { name: 'Blue', phone: '+1 201 555 0142', time: view.width > 1000 ? 1 : 0 });
    await signIn(page, `Robin ${view.width}`);
    await page.goto('/admin/bookings');
    await page.getByLabel('From', { exact: true }).fill('2030-08-01T00:00');
    await page.getByLabel('To', { exact: true }).fill('2030-08-15T00:00');
    await press(page, 'Close this time');
    await page.getByText('Thursday 1 August').first().waitFor();
    for (const path of pages) await look(page, `/admin${path}`, `${path.slice(1) || 'today'}-${view.width}`);
    await page.goto('/admin/bookings');
    await look(page, await page.locator('table a').first().getAttribute('href'), `booking-${view.width}`);
    await page.goto('/admin/letters');
    await look(page, await page.locator('table a').first().getAttribute('href'), `letter-${view.width}`);
  });
}

scene(world, 'the owner moves a call and cancels it, by the keyboard alone', { width: 360 }, async (page) => {
  await book(page, { name: 'Green', phone: '+1 201 555 0143', time: 3 });
  await signIn(page, 'Kim');
  await page.goto('/admin/bookings');
  await page.locator('tr:has-text("Confirmed") a').last().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/admin\/bookings\/[0-9a-f]+$/);
  await page.getByText('Green').first().waitFor(); // the passkey was used just now
  const before = await page.locator('h1').innerText();
  await page.locator('#slot').focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForFunction((was) => document.querySelector('h1').innerText !== was, before);
  await page.getByLabel('No: I have told them').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Cancelled.').first().waitFor();
});

scene(world, 'a time that makes no sense is said where it was typed, and kept', { width: 360 }, async (page) => {
  await signIn(page, 'Sam');
  await page.goto('/admin/bookings');
  await page.getByLabel('From', { exact: true }).fill('2030-08-15T00:00');
  await page.getByLabel('To', { exact: true }).fill('2030-08-01T00:00');
  await press(page, 'Close this time');
  await page.locator('#to[aria-invalid=true]').waitFor();
  assert.equal(await page.locator('#from').inputValue(), '2030-08-15T00:00');
  assert.deepEqual(await barriers(page), []);
});
