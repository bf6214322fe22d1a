import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchFor } from './fetch-for.js';

let proxy: Server;
let proxied: (string | undefined)[];
let address: string;

beforeEach(async () => {
  proxied = [];
  proxy = createServer((request, response) => {
    proxied.push(request.url);
    response.end('from the proxy');
  });
  // A request for an https URL, and one over a tunnel, begins with CONNECT.
  proxy.on('connect', (request, socket) => {
    proxied.push(request.url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});

afterEach(() => new Promise((resolve) => proxy.close(resolve)));

const limits = { timeout: 60_000 };

test('without a proxy and within five minutes the built-in fetch is used', async () => {
  expect(await fetchFor({}, limits)).toBe(fetch);
  expect(await fetchFor({}, { timeout: 0 })).not.toBe(fetch);
  expect(await fetchFor({}, { timeout: 1_200_000 })).not.toBe(fetch);
});

test.each(['HTTPS_PROXY', 'https_proxy'])(
  '%s is asked for servers elsewhere, and never for this machine',
  async (name) => {
    const through = await fetchFor({ [name]: address }, limits);
    await expect(through('https://mcp.example.com/mcp')).rejects.toThrow();
    expect(proxied).toEqual(['mcp.example.com:443']);
    expect(await (await through(address)).text()).toBe('from the proxy');
    expect(proxied).toEqual(['mcp.example.com:443', '/']);
  },
);

test('a host of NO_PROXY is not reached through it', async () => {
  const through = await fetchFor({ HTTPS_PROXY: address, NO_PROXY: 'mcp.invalid' }, limits);
  await expect(through('https://mcp.invalid/mcp')).rejects.toThrow();
  expect(proxied).toEqual([]);
});
