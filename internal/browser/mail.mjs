/**
 * Reading the mail that the site writes into DATA/mail when no SMTP server is set.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a message, newest first.
 * @param {{data: string}} site
 * @param {(mail: {headers: Map<string, string>, text: string, html: string, calendar: string, raw: string}) => boolean} wanted
 */
export async function waitForMail(site, wanted) {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = mails(site).find(wanted);
    if (found) return found;
    await pause(50);
  }
  throw new Error(`no such mail among ${mails(site).map((m) => `"${m.headers.get('subject')}" to ${m.headers.get('to')}`).join(', ') || 'none'}`);
}

/** All captured messages, newest first. */
export function mails(site) {
  let names = [];
  try {
    names = readdirSync(join(site.data, 'mail')).filter((name) => name.endsWith('.eml'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return names.sort().reverse().map((name) => parse(readFileSync(join(site.data, 'mail', name), 'latin1')));
}

/** The addresses in a message's plain text. */
export function links(mail) {
  return mail.text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
}

function parse(raw) {
  const { headers, body } = split(raw);
  const mail = { headers, raw, text: '', html: '', calendar: '' };
  collect(mail, headers, body);
  return mail;
}

function collect(mail, headers, body) {
  const type = headers.get('content-type') ?? 'text/plain';
  const boundary = type.match(/boundary="?([^";]+)"?/i)?.[1];
  if (boundary) {
    for (const part of body.split(`--${boundary}`).slice(1, -1)) {
      const inner = split(part.replace(/^\r?\n|\r?\n$/g, ''));
      collect(mail, inner.headers, inner.body);
    }
    return;
  }
  const text = decode(body, headers.get('content-transfer-encoding') ?? '7bit');
  if (/^text\/plain/i.test(type)) mail.text += text;
  if (/^text\/html/i.test(type)) mail.html += text;
  if (/^text\/calendar/i.test(type)) mail.calendar ||= text;
}

function split(raw) {
  const [, head, body] = raw.match(/^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/) ?? [null, raw, ''];
  const headers = new Map();
  for (const line of head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = line.match(/^([^:\s]+):\s*(.*)$/) ?? [];
    if (name) headers.set(name.toLowerCase(), words(value));
  }
  return { headers, body };
}

function decode(body, encoding) {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(encoding)) return Buffer.from(body, 'latin1').toString('utf8');
  return unquote(body.replaceAll(/=\r?\n/g, ''));
}

function unquote(text) {
  const bytes = text.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

// RFC 2047: =?utf-8?q?caf=C3=A9?=
function words(value) {
  return value.replaceAll(/\?=\s+=\?/g, '?==?').replaceAll(/=\?[^?]+\?([bq])\?([^?]*)\?=/gi, (_, kind, text) => (
    kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : unquote(text.replaceAll('_', ' '))));
}
