import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { URL } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
const compress = promisify(gzip);

/**
 * Serves a built site on 127.0.0.1, the way that hosts of static sites do: `/guide` is `guide.html`, what is not found has a
 * page, texts are compressed, and names that contain a hash may be kept.
 *
 * @param {string} folder
 * @param {number} port 0 for any
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function serveFolder(folder, port) {
  const answer = async ({ url = '/' }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://site').pathname));
    const name = path.endsWith('/') ? `${path}index.html` : extname(path) ? path : `${path}.html`;
    const found = await readFile(join(folder, name)).catch(() => undefined);
    const body = found ?? (await readFile(join(folder, '404.html')));
    const type = types[found ? extname(name) : '.html'] ?? 'application/octet-stream';
    response.writeHead(found ? 200 : 404, {
      'content-type': type,
      'content-encoding': 'gzip',
      'cache-control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
    response.end(await compress(body));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  const { port: used } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${used}/`,
    close: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  };
}
