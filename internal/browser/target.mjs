/**
 * The stand-in for the address that "Leave this site" leads to. It writes down what
 * it is asked, and can be told to let a request hang, or to answer with nothing.
 *
 * While a navigation hangs, Chromium holds back what a test asks of the page. An
 * answer of 204 ends the navigation and leaves the page standing, so what stays on the
 * screen when the target does not come can be looked at in peace.
 */
import { createServer } from 'node:http';

const body = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Weather</title></head>'
  + '<body><h1>Somewhere ordinary</h1></body></html>';

/**
 * @returns {Promise<{url: string, asked: {url: string, headers: object}[], 
 *   be: (how: 'there' | 'nothing' | 'hanging') => void, stop: () => Promise<void>}>}
 *   url is another site than 127.0.0.1 to a browser, as the true target is
 */
export async function startTarget() {
  const asked = [];
  let manner = 'there';
  const waiting = new Set();
  const server = createServer((request, response) => {
    if (request.url === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    asked.push({ url: request.url, headers: request.headers });
    if (manner === 'hanging') {
      waiting.add(response);
      return;
    }
    if (manner === 'nothing') {
      response.writeHead(204).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(body);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    url: `http://localhost:${server.address().port}/`,
    asked,
    be(how) {
      manner = how;
      if (how === 'hanging') return;
      for (const response of waiting) response.destroy();
      waiting.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => { server.close(resolve); });
    },
  };
}
