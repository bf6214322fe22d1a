import { once } from 'node:events';
import { createServer, request, type ClientRequest, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeExchange } from './node-exchange.js';

let http: Server;
let client: ClientRequest;
afterEach(() => {
  client.destroy();
  http.closeAllConnections();
  http.close();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A request that has arrived, whose client still waits for the answer. */
async function arrived(): Promise<{ exchange: NodeExchange; res: ServerResponse }> {
  http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  client = request({ port: (http.address() as AddressInfo).port, method: 'POST' });
  client.on('error', () => {}).end();
  const [req, res] = (await once(http, 'request')) as ConstructorParameters<typeof NodeExchange>;
  return { exchange: new NodeExchange(req, res), res };
}

/** Waits for the end of an exchange. @returns whether its client had gone before */
const closed = (exchange: NodeExchange) => new Promise<boolean>((resolve) => exchange.whenClosed(resolve));

test('an answer of the same turn needs no listener on the response', async () => {
  const { exchange, res } = await arrived();
  const over = once(res, 'close');
  const listen = jest.spyOn(res, 'once');
  let calls = 0;
  exchange.whenClosed(() => calls++);
  exchange.sendJson(200, '{}');
  await over;
  expect(listen.mock.calls.filter(([event]) => event === 'close')).toEqual([]);
  expect(calls).toBe(0);
});

test('work of later turns hears that its client has gone', async () => {
  const { exchange } = await arrived();
  const ended = closed(exchange);
  await turn();
  client.destroy();
  expect(await ended).toBe(true);
});

test('so does work whose client goes in the turn in which it begins, or went before', async () => {
  const { exchange, res } = await arrived();
  const ended = closed(exchange);
  res.destroy();
  expect(await ended).toBe(true);
  await turn();
  expect(await closed(exchange)).toBe(true);
});

test('a whole answer of a later turn does not count as a client that has gone', async () => {
  const { exchange } = await arrived();
  const ended = closed(exchange);
  await turn();
  exchange.sendJson(200, '{}');
  expect(await ended).toBe(false);
});
