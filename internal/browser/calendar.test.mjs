/**
 * What goes into calendars, read back by a parser that is none of ours: the visitor's
 * entry, the owner's invitations (RFC 5545, RFC 5546), and the owner's feed.
 */
import assert from 'node:assert/strict';
import ICAL from 'ical.js';
import { scene, stage } from './harness.mjs';
import { book, chooseTime } from './booking.mjs';
import { mails, waitForMail } from './mail.mjs';

const world = stage();

/** The one event of a calendar, and the calendar's method. */
function event(text) {
  assert.ok(text.endsWith('END:VCALENDAR\r\n'), 'CRLF to the end');
  assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75 && !line.includes('\n')), 'folded lines');
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = calendar.getAllSubcomponents('vevent');
  assert.equal(events.length, 1);
  const vevent = new ICAL.Event(events[0]);
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: vevent.uid,
    sequence: vevent.sequence,
    start: vevent.startDate.toJSDate().toISOString(),
    minutes: vevent.duration.toSeconds() / 60,
    utc: vevent.startDate.zone === ICAL.Timezone.utcTimezone,
    stamp: events[0].getFirstPropertyValue('dtstamp'),
    status: events[0].getFirstPropertyValue('status'),
    summary: vevent.summary,
    attendees: vevent.attendees.length,
  };
}

const iso = (slot) => new Date(slot).toISOString();

scene(world, 'booking-H33 R21 calendars elsewhere read what was booked, moved and cancelled', { zone: 'Europe/London' }, async (page) => {
  const { path, slot } = await book(page, { name: 'Robin', time: 3 });
  const own = async () => event(await (await fetch(`${world.site.url}${path}/invite.ics`)).text());
  const first = await own();
  assert.deepEqual([first.start, first.minutes, first.utc, first.summary, first.attendees], [iso(slot), 15, true, 'Call', 0]);

  const told = (method, sequence) => waitForMail(world.site, (mail) => mail.calendar
    && event(mail.calendar).method === method && event(mail.calendar).sequence === sequence);
  const asked = event((await told('REQUEST', 0)).calendar);
  assert.deepEqual([asked.start, asked.utc, asked.status], [iso(slot), true, 'CONFIRMED']);

  await page.locator('details:has(> form[action$="/move"]) > summary').click();
  const moved = await chooseTime(page, 12, `form[action="${path}/move"]`);
  await page.locator(`form[action="${path}/move"] button[type=submit]:not([name=do])`).click();
  await page.waitForURL(`**${path}`);
  const again = event((await told('REQUEST', 1)).calendar);
  assert.deepEqual([again.uid, again.start], [asked.uid, iso(moved)]);
  const second = await own();
  assert.deepEqual([second.uid, second.sequence, second.start], [first.uid, 1, iso(moved)]);

  const { stdout } = await world.site.run('feed', 'add');
  const address = stdout.match(/https?:\/\/\S+\.ics/)[0];
  const feed = await (await fetch(world.site.url + new URL(address).pathname)).text();
  const coming = new ICAL.Component(ICAL.parse(feed)).getAllSubcomponents('vevent').map((e) => new ICAL.Event(e));
  assert.ok(coming.some((e) => e.startDate.toJSDate().toISOString() === iso(moved)));

  await page.locator('form[action$="/cancel"] button').click();
  await page.getByRole('heading', { name: 'Your call is cancelled' }).waitFor();
  const gone = event((await told('CANCEL', 2)).calendar);
  assert.deepEqual([gone.uid, gone.status], [asked.uid, 'CANCELLED']);
  assert.ok(mails(world.site).filter((mail) => mail.calendar).every((mail) => !/Robin/.test(mail.calendar)));
});
