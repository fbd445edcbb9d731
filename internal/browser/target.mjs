/**
 * The stand-in for the address that "Leave this site" leads to. It writes down what
 * it is asked, and can be told to let a request hang.
 */
import { createServer } from 'node:http';

const body = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Weather</title></head>'
  + '<body><h1>Somewhere ordinary</h1></body></html>';

/**
 * @returns {Promise<{url: string, asked: {url: string, headers: object}[], hang: (on: boolean) => void, stop: () => Promise<void>}>}
 *   url is another site than 127.0.0.1 to a browser, as the true target is
 */
export async function startTarget() {
  const asked = [];
  let hanging = false;
  const waiting = new Set();
  const server = createServer((request, response) => {
    if (request.url === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    asked.push({ url: request.url, headers: request.headers });
    if (hanging) {
      waiting.add(response);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(body);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    url: `http://localhost:${server.address().port}/`,
    asked,
    hang(on) {
      hanging = on;
      if (on) return;
      for (const response of waiting) response.destroy();
      waiting.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => { server.close(resolve); });
    },
  };
}
