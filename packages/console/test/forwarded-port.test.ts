import { networkInterfaces } from 'node:os';
import { Hub } from '../src/hub/hub.js';
import { DevConsole } from '../src/serve/dev-console.js';
import { type RawRequest, rawRequest } from './support/raw-request.js';
import { smallPages } from './support/small-pages.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A console behind a forwarded port, and what a browser sends to it through that. */
async function open(host: string | undefined) {
  const { pages, remove } = smallPages();
  const hub = new Hub({
    access: ['read', 'call', 'change', 'project'],
    askInside: () => Promise.reject(new Error('There is no app.')),
    overview: () => ({ servers: [], access: [], app: 'running', toolwright: '0' }),
  });
  const console = new DevConsole(hub, { pages, ...(host !== undefined && { host }) });
  closing.push(() => console.close(), remove);
  const address = await console.listen();
  const inside = `http://127.0.0.1:${console.port}`;
  const { search } = new URL(address);
  const send = (path: string, asked: RawRequest) => rawRequest(inside + path, asked);
  /** Opens the address, and asks what the page asks: both with the headers that arrive. */
  const visit = async (headers: Record<string, string>, ofPage: Record<string, string> = headers) => {
    const opened = await send(`/${search}`, { headers: { ...headers } });
    if (opened.status !== 303) return { opened: opened.status };
    const cookie = opened.headers['set-cookie']![0]!.split(';')[0]!;
    const home = opened.headers.location!;
    const read = await send(home, { headers: { cookie, ...headers } });
    const asked = {
      method: 'POST',
      body: '{}',
      headers: { cookie, 'content-type': 'application/json', ...ofPage },
    };
    const called = await send(`${home}api/overview`, asked);
    return { opened: opened.status, read: read.status, called: called.status };
  };
  return { address, console, visit, search };
}

const works = { opened: 303, read: 200, called: 200 };

test('without a forwarded port, only the address of the console itself opens it', async () => {
  const { visit, console } = await open(undefined);
  const own = `127.0.0.1:${console.port}`;
  expect(await visit({ host: own }, { host: own, origin: `http://${own}` })).toEqual(works);
  expect(await visit({ host: `localhost:${console.port}` })).toEqual({ opened: 421 });
});

describe.each(['localhost', '0.0.0.0'])('for --console-host %s', (host) => {
  test('any port of the machine of the person leads to it', async () => {
    const { visit, console, address } = await open(host);
    expect(address).toMatch(new RegExp(`^http://localhost:${console.port}/\\?token=`));
    for (const name of [`localhost:${console.port}`, 'localhost:8080', '127.0.0.1:8080', '[::1]:8080'])
      expect(await visit({ host: name }, { host: name, origin: `http://${name}` })).toEqual(works);
  });

  test('no foreign page and no foreign name does', async () => {
    const { visit, console } = await open(host);
    expect(await visit({ host: `evil.test:${console.port}` })).toEqual({ opened: 421 });
    expect(await visit({ host: `10.0.0.2:${console.port}` })).toEqual({ opened: 421 });
    const name = 'localhost:8080';
    const from = async (origin: string) => (await visit({ host: name }, { host: name, origin })).called;
    expect(await from('http://evil.test')).toBe(403);
    // Another program of the same machine, on another port, is another page.
    expect(await from('http://localhost:8081')).toBe(403);
    expect(await visit({ host: name, 'sec-fetch-site': 'cross-site' })).toMatchObject({ read: 403 });
  });
});

describe('for --console-host name-9000.app.github.dev', () => {
  const name = 'name-9000.app.github.dev';
  const page = { origin: `https://${name}`, 'sec-fetch-site': 'same-origin' };

  test('the address is that of the browser, whether or not the proxy keeps the Host', async () => {
    const { visit, console, address } = await open(name);
    expect(address).toMatch(new RegExp(`^https://${name}/\\?token=`));
    const own = `127.0.0.1:${console.port}`;
    for (const host of [name, `localhost:${console.port}`])
      expect(await visit({ host, 'sec-fetch-site': 'none' }, { host, ...page })).toEqual(works);
    expect(await visit({ host: own }, { host: own, ...page })).toEqual(works);
  });

  test('programs of the machine reach it as before, and nobody else does', async () => {
    const { visit, console } = await open(name);
    const own = `127.0.0.1:${console.port}`;
    expect(await visit({ host: own }, { host: own, origin: `http://${own}` })).toEqual(works);
    // A rebound name has no certificate, so browsers say nothing about the page.
    expect(await visit({ host: `evil.test:${console.port}` })).toEqual({ opened: 421 });
    const evil = { host: name, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    expect(await visit({ host: name, 'sec-fetch-site': 'none' }, evil)).toMatchObject({ called: 403 });
    const neighbour = {
      host: name,
      origin: 'https://other-9000.app.github.dev',
      'sec-fetch-site': 'same-site',
    };
    expect(await visit({ host: name, 'sec-fetch-site': 'none' }, neighbour)).toMatchObject({ called: 403 });
  });

  test('the token decides, whatever the way', async () => {
    const { console } = await open(name);
    const inside = `http://127.0.0.1:${console.port}`;
    const answer = await rawRequest(`${inside}/?token=wrong`, { headers: { host: name, ...page } });
    expect(answer.status).toBe(401);
    expect((await rawRequest(`${inside}/api/overview`, { headers: { host: name, ...page } })).status).toBe(
      401,
    );
  });
});

const outside = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

test('only 0.0.0.0 listens on other addresses than loopback', async () => {
  // A machine without a network has no such address, and nothing to show.
  if (outside === undefined) return;
  const reach = async (host: string) => {
    const { console } = await open(host);
    const asked = { headers: { host: 'localhost:1' } };
    return rawRequest(`http://${outside}:${console.port}/`, asked).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    );
  };
  expect(await reach('0.0.0.0')).toBe(401);
  expect(await reach('localhost')).toBe('ECONNREFUSED');
});
