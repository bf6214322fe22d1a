import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toolwright } from '../support/recording-terminal.js';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(listener: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close().closeAllConnections());
  return { requests, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const headers = '--header X-Api-Key:secret --header Authorization:secret';

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) to another origin is reported and not followed',
  async (status) => {
    const other = await serve((_request, response) => response.end('{}'));
    const { origin } = await serve((_request, response) =>
      response.writeHead(status, { location: `${other.origin}/mcp` }).end(),
    );
    const { code, stderr } = await toolwright(`list --url ${origin}/mcp ${headers}`);
    expect(other.requests).toEqual([]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `error: ${origin}/mcp redirects to ${other.origin}/mcp. ` +
        'The command sends no call and no header there. If you trust this address, pass it as --url.\n',
    );
  },
);

test('within the origin a call continues', async () => {
  const { origin, requests } = await serve((request, response) => {
    if (request.url === '/mcp') response.writeHead(308, { location: '/mcp/' }).end();
    else response.writeHead(404).end();
  });
  await toolwright(`list --url ${origin}/mcp ${headers}`);
  expect(requests[1]).toMatchObject({
    url: '/mcp/',
    method: 'POST',
    headers: { 'x-api-key': 'secret', authorization: 'secret' },
  });
});

test('endless redirects are an error', async () => {
  const { origin, requests } = await serve((_request, response) =>
    response.writeHead(307, { location: '/mcp' }).end(),
  );
  const { code, stderr } = await toolwright(`list --url ${origin}/mcp`);
  expect({ code, stderr, count: requests.length }).toEqual({
    code: 1,
    stderr: `error: ${origin}/mcp redirects more than 5 times.\n`,
    count: 6,
  });
});
