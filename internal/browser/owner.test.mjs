/**
 * The owner's way in, with the authenticator that Chromium brings for tests: a passkey by
 * the one-time link, signing out and in, showing once more who one is, a second passkey;
 * and the same by a password and a code, without any script.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { artefacts, scene, stage } from './harness.mjs';
import { barriers, faults } from './markup.mjs';

// Passkeys belong to a name: on this machine to localhost, which is the same site.
const world = stage({}, async (w) => { w.site.url = w.site.url.replace('127.0.0.1', 'localhost'); });

const claim = async (name) => (await world.site.run('owner', 'add', name)).stdout.trim();

/** Has the judges look at a page as the server sent it, and keeps a picture of it. */
async function sees(page, name) {
  mkdirSync(join(artefacts, 'owner'), { recursive: true });
  await page.screenshot({ path: join(artefacts, 'owner', `${name}.png`), fullPage: true });
  assert.deepEqual(await faults(await page.sent.text(), name), [], name);
  if (page.judged) assert.deepEqual(await barriers(page), [], name);
}

/** A scene whose pages are kept as the server sent them; axe asks for a script. */
const owner = (name, look, play) => scene(world, name, look, async (page) => {
  page.judged = look.js !== false;
  page.on('response', (answer) => { if (answer.request().isNavigationRequest()) page.sent = answer; });
  await play(page);
});

/** A device that makes passkeys and whose owner always agrees. */
async function authenticator(page, transport = 'internal') {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2', transport, hasResidentKey: true, hasUserVerification: true, isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** The code that an app shows (RFC 6238), so many steps from now. */
function code(secret, steps = 0) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret.replaceAll(' ', '')].map((c) => alphabet.indexOf(c).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((b) => parseInt(b, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const sum = createHmac('sha1', key).update(counter).digest();
  const at = sum.at(-1) & 15;
  return String((sum.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const at = (page, path) => page.waitForURL((url) => url.pathname === path);
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

owner('an owner makes a passkey by the link, signs out, and comes back with it', { width: 1024, height: 800 }, async (page) => {
  await authenticator(page);
  const link = await claim('Robin');
  await page.goto(link);
  await sees(page, 'claim');
  await press(page, 'Make a passkey');
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  assert.equal(await page.locator('.codes li').count(), 10);
  await sees(page, 'codes');
  await page.getByRole('link', { name: 'I have written them down' }).click();
  await at(page, '/admin/access');
  await sees(page, 'access');
  assert.equal((await page.goto(link)).status(), 404, 'the link is good once');

  const cookies = await page.context().cookies();
  const session = cookies.find((cookie) => cookie.name === 'session');
  assert.deepEqual([session.httpOnly, session.sameSite, session.expires], [true, 'Strict', -1]);

  await page.goto('/admin/access');
  await page.locator('form[action="/admin/sign-out"] button').click();
  await at(page, '/admin/sign-in');
  assert.deepEqual(await page.context().cookies(), [], 'signing out leaves no cookie');
  await page.goto('/admin/access');
  await at(page, '/admin/sign-in');
  await sees(page, 'sign-in');
  await press(page, 'Sign in with a passkey');
  await page.waitForURL((url) => !url.pathname.startsWith('/admin/sign-in'));
  await page.goto('/admin/access');
  await at(page, '/admin/access');
});

owner('SEC-H20 a second passkey signs the other device out', { width: 360 }, async (page) => {
  await authenticator(page);
  await page.goto(await claim('Kim'));
  await press(page, 'Make a passkey');
  await page.getByRole('link', { name: 'I have written them down' }).click();
  await at(page, '/admin/access');
  const kept = await page.context().storageState();
  const other = await page.context().browser().newContext({ baseURL: world.site.url, storageState: kept });
  try {
    const device = await other.newPage();
    await device.goto('/admin/access');
    await at(device, '/admin/access');
    await authenticator(page, 'usb'); // another device is at hand
    await page.getByLabel('A word for it').fill('key on the ring');
    await press(page, 'Add a passkey');
    await page.getByText('key on the ring').first().waitFor();
    await device.goto('/admin/access');
    await at(device, '/admin/sign-in');
  } finally {
    await other.close();
  }
  await page.reload();
  await at(page, '/admin/access');
});

owner('without script an owner signs in by password and code', { js: false, width: 360 }, async (page) => {
  const password = 'violet kettles hum beside Thursday rivers';
  await page.goto(await claim('Sam'));
  const secret = await page.locator('code.key').innerText();
  assert.ok(await page.getByRole('button', { name: 'Make a passkey' }).isHidden(), 'no button that does nothing');
  await page.getByLabel('Password').fill('short');
  await page.getByLabel('Code').fill(code(secret, -1));
  await press(page, 'Set up password and app');
  await page.getByText('Choose at least 15 characters').first().waitFor();
  await sees(page, 'claim-wrong');
  assert.equal(await page.locator('code.key').innerText(), secret, 'the key in the app is still good');
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Code').fill(code(secret, -1));
  await press(page, 'Set up password and app');
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();

  await page.goto('/admin/access');
  await page.locator('form[action="/admin/sign-out"] button').click();
  await at(page, '/admin/sign-in');
  await page.getByLabel('Your name here').fill(' sam ');
  await page.getByLabel('Password').fill(password);
  await press(page, 'Go on');
  await at(page, '/admin/sign-in/code');
  await sees(page, 'code');
  await page.getByLabel('Code').fill(code(secret));
  await press(page, 'Sign in');
  await page.waitForURL((url) => !url.pathname.startsWith('/admin/sign-in'));
  await page.goto('/admin/access/password');
  await at(page, '/admin/access/password');
  await sees(page, 'password');
});

owner('at the number of this machine the page says where passkeys work', { width: 360 }, async (page) => {
  const { port } = new URL(world.site.url);
  page.context().setDefaultNavigationTimeout(20_000);
  await page.goto('/admin/sign-in');
  assert.ok(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible());
  const answer = await fetch(`http://127.0.0.1:${port}/admin/sign-in`);
  const text = await answer.text();
  assert.ok(text.includes(`http://localhost:${port}/admin/sign-in`) && !text.includes('data-passkey="get"'));
});
