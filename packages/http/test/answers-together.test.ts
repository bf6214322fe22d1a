import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mcpHttp } from '../src/index.js';
import { createFixture } from './support/fixture.js';
import { call, send } from './support/wire.js';

let http: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (http ? http.close(() => resolve()) : resolve())));

async function listen(handler: Parameters<typeof createServer>[1]): Promise<string> {
  http = createServer(handler);
  await new Promise<void>((resolve) => http!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
}

test('tools, and code that runs at the end of a request, have the AsyncLocalStorage of their request', async () => {
  const { server } = await createFixture();
  const requests = new AsyncLocalStorage<string>();
  const seen: string[] = [];
  const ended: [string | undefined, string | undefined][] = [];
  server.tools.add({
    name: 'which',
    description: 'Tells the request it is called by.',
    handler: () => {
      const store = requests.getStore() ?? 'none';
      seen.push(store);
      return store;
    },
  });
  const endpoint = mcpHttp(server);
  const url = await listen((req, res) => {
    const id = req.headers['x-request'] as string;
    res.once('finish', () => ended.push([id, requests.getStore()]));
    requests.run(id, () => endpoint(req, res));
  });

  const ids = Array.from({ length: 20 }, (_, index) => `request ${index}`);
  const which = call('which', {});
  await Promise.all(ids.map((id) => send(url, { ...which, headers: { ...which.headers, 'x-request': id } })));

  expect(seen.sort()).toEqual([...ids].sort());
  expect(ended.map(([id]) => id).sort()).toEqual([...ids].sort());
  for (const [id, known] of ended) expect(known).toBe(id);
});

test.each([1, 20])(
  'when the server is drained, the process may end: all %d answers were sent',
  async (count) => {
    const { server, gates } = await createFixture();
    const url = await listen(mcpHttp(server));
    const names = Array.from({ length: count }, (_, index) => `gate ${index}`);
    const answers = names.map((gate) => send(url, call('hold', { gate })));
    while (gates.entered.length < count) await new Promise((resolve) => setImmediate(resolve));

    const drained = server.drain().then(() => http!.closeAllConnections());
    for (const gate of names) gates.open(gate);
    await drained;

    const texts = (await Promise.all(answers)).map(({ json }) => json.result.content[0].text as string);
    expect(texts).toEqual(names.map((gate) => `through ${gate}`));
  },
);
