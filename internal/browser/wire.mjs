/**
 * Requests as they go over the wire: fetch would hide how many bytes came.
 */
import { request } from 'node:http';

/**
 * @returns {Promise<{url: string, status: number, type: string, encoding: string, body: number, bytes: number}>}
 *   body: bytes of the body as it was sent, compressed; bytes: those and its headers
 */
export async function get(url) {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } }, (answer) => {
      const bytes = answer.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
      let body = 0;
      answer.on('data', (chunk) => { body += chunk.length; });
      answer.on('end', () => resolve({
        url, body, bytes: bytes + body, status: answer.statusCode, type: answer.headers['content-type'] ?? '', encoding: answer.headers['content-encoding'] ?? '',
      }));
      answer.on('error', reject);
    }).on('error', reject).end();
  });
}
