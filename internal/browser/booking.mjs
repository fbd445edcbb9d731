/**
 * The steps of booking a call, as a visitor takes them.
 */

/** The form that books: it has the times, and posts to /consult. */
export const bookingForm = 'form[action="/consult"]';

/** Numbers that could be called, from a block that is kept for drama. */
export function phoneNumber(n) {
  return `+1 201 555 01${String(n).padStart(2, '0')}`;
}

/**
 * Chooses the nth free time of a form and returns its value, the start in UTC. The
 * frame around a radio is what a finger meets.
 */
export async function chooseTime(page, n = 0, form = bookingForm) {
  const radio = page.locator(`${form} input[name=slot]`).nth(n);
  await page.locator(`${form} label:has(input[name=slot])`).nth(n).click();
  return radio.inputValue();
}

/** Chooses one of several radios by its value. */
export async function pick(page, name, value) {
  await page.locator(`label:has(input[name=${name}][value=${value}])`).click();
}

/** Shows the times of another zone; the list is folded away until asked for. */
export async function chooseZone(page, zone, form = bookingForm) {
  await page.locator(`${form} .zone details summary`).click();
  await page.locator(`${form} select[name=zone]`).selectOption(zone);
  await page.locator(`${form} button[name=do][value=zone]`).click();
  await page.locator(`${form} select[name=zone] option[selected][value="${zone}"]`).waitFor({ state: 'attached' });
}

/** Sends a form by its own button, not by one that only shows other times. */
export async function send(page, form = bookingForm) {
  await page.locator(`${form} button[type=submit]:not([name=do])`).click();
}

/**
 * Books a call and ends on the visitor's own page.
 * @param {{name: string, time?: number, phone?: string, email?: string}} who without a phone
 *   number they call us
 * @returns {Promise<{slot: string, path: string}>} the start in UTC; the page's address
 */
export async function book(page, { name, time = 0, phone, email }) {
  await page.goto('/consult');
  const slot = await chooseTime(page, time);
  await page.locator('input[name=name]').fill(name);
  if (phone) await page.locator('input[name=phone]').fill(phone);
  else await pick(page, 'call', 'you');
  if (email) await page.locator('input[name=email]').fill(email);
  await send(page);
  await page.waitForURL(/\/consult\/[A-Za-z0-9_-]{20,}$/);
  return { slot, path: new URL(page.url()).pathname };
}

/** A time as the page says it for a zone: "Thursday 3 December" and "15:30". */
export function said(slot, zone) {
  const at = new Date(slot);
  const words = (options) => new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(at);
  return {
    day: `${words({ weekday: 'long' })} ${words({ day: 'numeric', month: 'long' })}`,
    clock: words({ hour: '2-digit', minute: '2-digit', hour12: false }),
  };
}
