/**
 * Every page that the site can show, as a way of getting there: one for each template
 * and for each state that looks different. What is true of all pages is asked of
 * these; the pictures are taken of these.
 */
import { book, bookingForm, chooseTime, pick, send } from './booking.mjs';
import { links, waitForMail } from './mail.mjs';
import { articles } from './sight.mjs';

const go = (path) => (page) => page.goto(path);

async function wrongForm(page) {
  await page.goto('/consult');
  await chooseTime(page, 2);
  await page.locator('input[name=phone]').fill('+34 612 34');
  await send(page);
  await page.locator('[data-summary]').waitFor();
}

// A time that another visitor takes meanwhile. Each state books a time of its own.
async function takenTime(page) {
  await page.goto('/consult');
  const slot = await chooseTime(page, 30);
  const other = await page.context().newPage();
  await other.goto('/consult');
  await other.locator(`label:has(input[value="${slot}"])`).click();
  await other.locator('input[name=name]').fill('Sam');
  await pick(other, 'call', 'you');
  await send(other);
  await other.waitForURL(/\/consult\/[A-Za-z0-9_-]{20,}$/);
  await other.close();
  await page.locator('input[name=name]').fill('Robin');
  await pick(page, 'call', 'you');
  await send(page);
  await page.locator('[data-summary]').waitFor();
}

async function booked(page) {
  await book(page, { name: 'Robin', time: 33, email: 'state@example.com' });
}

async function moving(page) {
  await book(page, { name: 'Robin', time: 34, phone: '+1 201 555 0190' });
  await page.locator('details:has(> form[action$="/move"]) > summary').click();
}

async function cancelled(page) {
  await book(page, { name: 'Robin', time: 35 });
  await page.locator('form[action$="/cancel"] button').click();
  await page.getByRole('heading', { name: 'Your call is cancelled' }).waitFor();
}

async function notFoundByCode(page) {
  await page.goto('/consult/find');
  await page.locator('input[name=code]').fill('one two three');
  await page.locator('input[name=name]').fill('Robin');
  await send(page, 'form[action="/consult/find"]');
  await page.locator('[data-summary]').waitFor();
}

async function ask(page, address) {
  await page.goto('/newsletter');
  await page.locator('input[name=email]').fill(address);
  await page.locator('form[action="/newsletter/subscribe"] button[type=submit]').click();
}

async function wrongAddress(page) {
  await ask(page, 'reader@');
  await page.locator('[data-summary]').waitFor();
}

async function asked(page) {
  await ask(page, 'asked@example.com');
  await page.waitForURL('**/newsletter/asked');
}

// Asked once for each width and theme: the second time within the day no mail comes.
let letters = 0;
async function confirm(page, world) {
  letters += 1;
  const address = `state-${letters}@example.com`;
  await ask(page, address);
  await page.waitForURL('**/newsletter/asked');
  const mail = await waitForMail(world.site, ({ headers }) => headers.get('to').includes(address));
  await page.goto(links(mail)[0]);
}

async function done(page, world) {
  await confirm(page, world);
  await page.locator('main button').click();
  await page.waitForURL('**/newsletter/done');
}

// One letter is sent, once for each stage, to one reader; its links open the rest.
const sent = new WeakMap();
async function letter(page, world) {
  if (!sent.has(world)) {
    await done(page, world);
    const reader = `state-${letters}@example.com`;
    await world.site.run('newsletter', 'send', 'what-a-name-can-do');
    const mail = await waitForMail(world.site, ({ headers }) => headers.get('to').includes(reader) && headers.has('list-unsubscribe'));
    sent.set(world, links(mail).map((link) => new URL(link).pathname));
  }
  return sent.get(world);
}

const behind = (part) => async (page, world) => page.goto((await letter(page, world)).find((path) => path.includes(part)));

async function termOpened(page) {
  await page.goto(articles[1]);
  await page.locator('a.term').first().click();
  await page.locator('.source-note').waitFor();
}

export async function questions(page) {
  await page.goto('/self-assessment');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL('**/self-assessment/questions');
}

// reflection answers the questions by their numbers, as in { 7: 'yes', 8: 'some' }.
export const reflection = (answers) => async (page) => {
  await questions(page);
  for (const [number, value] of Object.entries(answers)) {
    await page.locator(`label:has(input[name=q${number}][value=${value}])`).click();
  }
  await page.getByRole('button', { name: 'Show my reflection' }).click();
  await page.waitForURL('**/self-assessment');
};

// A form of another version: one answer is none, so the others come back with it.
async function wrongAnswer(page) {
  await questions(page);
  await page.locator('label:has(input[name=q8][value=some])').click();
  await page.locator('input[name=q7][value=yes]').evaluate((field) => { field.value = 'perhaps'; });
  await page.locator('label:has(input[name=q7])').first().click();
  await page.getByRole('button', { name: 'Show my reflection' }).click();
  await page.locator('[data-summary]').waitFor();
}

// A form on another site that posts to this one.
async function crossOrigin(page, world) {
  await page.goto(world.target.url);
  await Promise.all([page.waitForURL(`${world.site.url}/consult`), page.evaluate((action) => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action });
    document.body.append(form);
    form.submit();
  }, `${world.site.url}/consult`)]);
}

async function tooLarge(page) {
  await page.goto('/consult');
  await page.locator('input[name=name]').evaluate((field) => {
    field.removeAttribute('maxlength');
    field.value = 'a'.repeat(100_000);
  });
  await page.locator(`${bookingForm} button[type=submit]:not([name=do])`).evaluate((button) => button.click());
  await page.waitForFunction(() => !document.querySelector('input[name=slot]'));
}

// The name leads to this machine, but is none of the site's: the server says 421.
async function otherHost(page, world) {
  await page.goto(`http://elsewhere.test:${new URL(world.site.url).port}/`);
}

/**
 * @type {{name: string, status: number, open: (page: object, world: object) => Promise<unknown>, template: RegExp}[]}
 *   template: the addresses that look like this one
 */
export const states = [
  { name: 'home', status: 200, open: go('/'), template: /^\/$/ },
  { name: 'articles', status: 200, open: go('/articles'), template: /^\/articles$/ },
  { name: 'article', status: 200, open: go(articles[0]), template: /^\/articles\/[^/]+$/ },
  { name: 'article-figure', status: 200, open: go(articles[1]) },
  { name: 'topics', status: 200, open: go('/topics'), template: /^\/topics$/ },
  { name: 'topic', status: 200, open: go('/topics/the-bond'), template: /^\/topics\/[^/]+$/ },
  { name: 'paths', status: 200, open: go('/paths'), template: /^\/paths$/ },
  { name: 'path', status: 200, open: go('/paths/why-it-holds'), template: /^\/paths\/[^/]+$/ },
  { name: 'glossary', status: 200, open: go('/glossary'), template: /^\/glossary$/ },
  { name: 'article-term', status: 200, open: termOpened },
  { name: 'assess', status: 200, open: go('/self-assessment'), template: /^\/self-assessment$/ },
  { name: 'assess-questions', status: 200, open: questions },
  { name: 'assess-wrong', status: 422, open: wrongAnswer },
  { name: 'reflection', status: 200, open: reflection({ 1: 'no', 7: 'yes', 8: 'some', 9: 'yes', 14: 'yes', 15: 'some' }) },
  { name: 'reflection-safety', status: 200, open: reflection({ 1: 'yes', 4: 'some', 6: 'yes', 9: 'yes', 12: 'yes' }) },
  { name: 'reflection-none', status: 200, open: reflection({}) },
  { name: 'sources', status: 200, open: go('/sources'), template: /^\/sources$/ },
  { name: 'support', status: 200, open: go('/support'), template: /^\/support$/ },
  { name: 'safety', status: 200, open: go('/safety'), template: /^\/safety$/ },
  { name: 'about', status: 200, open: go('/about'), template: /^\/about$/ },
  { name: 'privacy', status: 200, open: go('/privacy'), template: /^\/(privacy|terms|accessibility|about\/corrections)$/ },
  { name: 'search', status: 200, open: go('/search'), template: /^\/search$/ },
  { name: 'consult', status: 200, open: go('/consult'), template: /^\/consult$/ },
  { name: 'consult-wrong', status: 422, open: wrongForm },
  { name: 'consult-taken', status: 409, open: takenTime },
  { name: 'booked', status: 200, open: booked, template: /^\/consult\/[^/]{20,}$/ },
  { name: 'booked-moving', status: 200, open: moving },
  { name: 'booked-cancelled', status: 200, open: cancelled },
  { name: 'find', status: 200, open: go('/consult/find'), template: /^\/consult\/find$/ },
  { name: 'find-wrong', status: 422, open: notFoundByCode },
  { name: 'newsletter', status: 200, open: go('/newsletter'), template: /^\/newsletter$/ },
  { name: 'newsletter-wrong', status: 422, open: wrongAddress },
  { name: 'newsletter-asked', status: 200, open: asked },
  { name: 'newsletter-confirm', status: 200, open: confirm },
  { name: 'newsletter-done', status: 200, open: done },
  { name: 'letter', status: 200, open: behind('/newsletter/what-a-name-can-do'), template: /^\/newsletter\/[a-z-]+$/ },
  { name: 'unsubscribe', status: 200, open: behind('/newsletter/unsubscribe/') },
  { name: 'preferences', status: 200, open: behind('/newsletter/preferences/') },
  { name: 'not-found', status: 404, open: go('/no/such/page') },
  { name: 'cross-origin', status: 403, open: crossOrigin },
  { name: 'too-large', status: 413, open: tooLarge },
  { name: 'other-host', status: 421, open: otherHost },
];
