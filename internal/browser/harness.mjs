/**
 * The stage for the browser tests: the built program on a free port with a data
 * folder and a copy of the content of its own, a stand-in for the address that
 * "Leave this site" leads to, and one Chromium.
 *
 * A test is a scene: a fresh context, a page in it, and at the end two questions
 * that every page of the site must answer: did it log anything, and did it ask
 * any other host for anything?
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { startTarget } from './target.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const repo = join(here, '..', '..');

/** Where pictures of failures and pages go; not committed. */
export const artefacts = join(repo, 'artefacts');

// Generous: two cores may be compiling beside the browser.
const patience = 20_000;

const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];

// Hours of our own, so that no test depends on today's weekday or the holidays.
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  .map((day) => `  ${day}: ["10:00-12:00", "14:00-17:00"]`).join('\n');
const hours = `zone: Europe/London
length: 15m
step: 30m
before: 0m
after: 10m
notice: 12h
notice_days: 0
horizon: 28
per_day: 0
week:
${everyDay}
`;

/**
 * Starts bin/steadier, which must have been built, and waits for its first line.
 * @param {{exit: string, ownHours?: boolean, dev?: boolean}} options exit: where leaving leads to;
 *   ownHours: keep the availability of the content folder; dev: as for who writes
 * @returns {Promise<{url: string, data: string, content: string, log: () => string,
 *   run: (...args: string[]) => Promise<{stdout: string}>, stop: () => Promise<void>}>}
 *   run: another command of the program, beside the one that serves
 */
export async function startSite({ exit, ownHours = false, dev = false }) {
  const dir = mkdtempSync(join(tmpdir(), 'steadier-'));
  const content = join(dir, 'content');
  cpSync(join(repo, 'content'), content, { recursive: true });
  const settings = join(content, 'site.yaml');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace(/^exit:.*$/m, `exit: ${exit}`));
  if (!ownHours) writeFileSync(join(content, 'availability.yaml'), hours);

  const program = join(repo, 'bin', 'steadier');
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STEADIER_'));
  const env = {
    ...Object.fromEntries(inherited), STEADIER_ADDR: '127.0.0.1:0', STEADIER_RATE: '0', STEADIER_LOG: 'text',
    STEADIER_CONTENT: content, STEADIER_DATA: join(dir, 'data'),
  };
  const server = spawn(program, dev ? ['serve', '-dev'] : ['serve'], { cwd: dir, env });
  let log = '';
  server.stderr.on('data', (bytes) => { log += bytes; });
  const gone = new Promise((resolve) => { server.once('close', resolve); server.once('error', resolve); });
  const stop = async () => {
    server.kill('SIGTERM');
    const stubborn = setTimeout(() => server.kill('SIGKILL'), 12_000);
    await gone;
    clearTimeout(stubborn);
    rmSync(dir, { recursive: true, force: true });
  };
  const line = await firstLine(server.stdout, gone);
  const url = line?.match(/http:\/\/[^\s/]+/)?.[0];
  if (!url) {
    await stop();
    throw new Error(`bin/steadier serve did not come up: ${line ?? 'no first line'}\n${log}`);
  }
  const run = (...args) => promisify(execFile)(program, args, {
    cwd: dir, env: { ...env, STEADIER_BASE_URL: url, STEADIER_ADDR: new URL(url).host },
  });
  return { url, data: join(dir, 'data'), content, log: () => log, run, stop };
}

async function firstLine(stream, gone) {
  const lines = createInterface({ input: stream });
  return Promise.race([new Promise((resolve) => { lines.once('line', resolve); }), gone.then(() => undefined)]);
}

/**
 * Starts the Chromium that the script `chrome` finds.
 * @param {{backForwardCache?: boolean}} options Playwright switches that cache off;
 *   a test of coming back needs it on
 */
export async function startBrowser({ backForwardCache = false } = {}) {
  const executablePath = process.env.CHROME || execFileSync(join(here, 'chrome'), { encoding: 'utf8' }).trim();
  return chromium.launch({
    executablePath, args: flags,
    ignoreDefaultArgs: backForwardCache ? ['--disable-back-forward-cache'] : [],
  });
}

/**
 * Registers the hooks that set the stage for a test file and clear it.
 * @param {object} options of startSite and startBrowser
 * @param {(world: object) => Promise<void>} more what a file sets up besides; a hook of its
 *   own would not wait for this one
 * @returns {{site: object, target: object, browser: object}} filled before the first test
 */
export function stage(options = {}, more = async () => {}) {
  const world = {};
  before(async () => {
    world.target = await startTarget();
    world.site = await startSite({ exit: world.target.url, ...options });
    world.browser = await startBrowser(options);
    await more(world);
  }, { timeout: 120_000 });
  after(async () => {
    await world.browser?.close();
    await world.site?.stop();
    await world.target?.stop();
  }, { timeout: 60_000 });
  return world;
}

/**
 * Opens a page as one visitor has it.
 * @param {object} world from stage
 * @param {{js?: boolean, dark?: boolean, width?: number, height?: number, zone?: string}} look
 *   and whatever else Playwright's newContext takes
 */
export async function visit(world, look = {}) {
  const { js = true, dark = false, width = 360, height = 640, zone = 'Europe/London', ...more } = look;
  const context = await world.browser.newContext({
    baseURL: world.site.url, viewport: { width, height }, javaScriptEnabled: js,
    colorScheme: dark ? 'dark' : 'light', timezoneId: zone, locale: 'en-GB', ...more,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.problems = [];
  page.hosts = new Set();
  page.on('console', (message) => { if (counts(message)) page.problems.push(`${message.type()}: ${message.text()}`); });
  page.on('pageerror', (error) => page.problems.push(`thrown: ${error.message}`));
  page.on('request', (request) => { if (/^(http|ws)s?:/.test(request.url())) page.hosts.add(new URL(request.url()).origin); });
  return page;
}

// A refused form and a missing page are told by the browser as a failed load, and
// a browser names each feature of the Permissions-Policy header that it does not
// know; both are as intended.
function counts(message) {
  if (!['error', 'warning'].includes(message.type())) return false;
  return !/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())
    && !/^Error with Permissions-Policy header: Unrecognized feature/.test(message.text());
}

/**
 * A test with a page of its own. On a failure a picture goes to artefacts/failures.
 * @param {object} world from stage
 * @param {string} name a sentence, with the number of its case
 * @param {object} look see visit; `strangers: true` where another host is meant to be asked,
 *   `noise: true` where the console is meant to speak
 * @param {(page: object) => Promise<void>} play
 */
export function scene(world, name, look, play) {
  const { strangers, noise, ...rest } = look;
  test(name, { timeout: 60_000 }, async () => {
    const page = await visit(world, rest);
    try {
      await play(page);
      if (!noise) assert.deepEqual(page.problems, [], 'the console is silent');
      if (!strangers) {
        const known = [world.site.url, new URL(world.target.url).origin];
        assert.deepEqual([...page.hosts].filter((host) => !known.includes(host)), [], 'no other host is asked');
      }
    } catch (error) {
      await picture(page, name);
      throw error;
    } finally {
      await page.context().close();
    }
  });
}

async function picture(page, name) {
  const dir = join(artefacts, 'failures');
  mkdirSync(dir, { recursive: true });
  const file = name.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 80);
  await page.screenshot({ path: join(dir, `${file}.png`), timeout: 5_000 }).catch(() => {});
}

/**
 * The entries of the page's history, oldest first, as the Back button would walk them.
 * @returns {Promise<{url: string, title: string, current: boolean}[]>}
 */
export async function entries(page) {
  const session = await page.context().newCDPSession(page);
  const { currentIndex, entries: all } = await session.send('Page.getNavigationHistory');
  await session.detach();
  return all.map(({ url, title }, index) => ({ url, title, current: index === currentIndex }));
}
