import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolContext } from '@toolwright/core';
import { SignJWT } from 'jose';
import { BillingClient } from '../src/billing/billing-client.js';
import { openTokenCheck } from '../src/billing/check-token.js';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('The client of the billing service', () => {
  const ctx = () =>
    ({ tokenFor: async () => 'token', signal: new AbortController().signal }) as unknown as ToolContext;
  const refund = { key: 'one', invoice: 'A-1', cents: 5 };
  const paid = { number: 'A-1', customer: 'iris@example.com', cents: 9, refunded: 5 };

  /** A service that does this with each request in its turn, and then answers. */
  async function serviceThat(...turns: RequestListener[]) {
    const keys: unknown[] = [];
    const url = await listen((req, res) => {
      keys.push(req.headers['idempotency-key']);
      const turn = turns.shift();
      if (turn) return turn(req, res);
      res.setHeader('content-type', 'application/json').end(JSON.stringify(paid));
    });
    return { client: new BillingClient(url), keys };
  }

  it.each<[string, RequestListener]>([
    ['breaks the connection', (req) => req.socket.destroy()],
    [
      'ends in the middle of its answer',
      (_req, res) => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': 99 });
        res.write('{"number":', () => res.destroy());
      },
    ],
    ['is not ready', (_req, res) => void res.writeHead(503).end('{}')],
  ])('sends a refund again, with the same key, where a process %s', async (_what, turn) => {
    const { client, keys } = await serviceThat(turn);
    expect(await client.refund(refund, ctx())).toEqual(paid);
    expect(keys).toEqual(['one', 'one']);
  });

  it('gives up at the third time, with a text for the model', async () => {
    const dead: RequestListener = (req) => req.socket.destroy();
    const { client, keys } = await serviceThat(dead, dead, dead);
    await expect(client.refund(refund, ctx())).rejects.toMatchObject({
      message: 'The billing service cannot be reached. Try again later.',
      cause: expect.objectContaining({ message: 'fetch failed' }),
    });
    expect(keys).toHaveLength(3);
  });

  it('names the status of an answer that is no JSON', async () => {
    const { client } = await serviceThat((_req, res) => void res.writeHead(500).end('<!doctype html>'));
    await expect(client.refund(refund, ctx())).rejects.toThrow('The billing service answered 500');
  });

  it('asks nobody again for a call that was cancelled', async () => {
    const cancelled = new AbortController();
    const { client, keys } = await serviceThat(() => cancelled.abort(new Error('cancelled')));
    const context = { ...ctx(), signal: cancelled.signal };
    await expect(client.refund(refund, context as ToolContext)).rejects.toThrow('cancelled');
    expect(keys).toHaveLength(1);
  });
});

describe('The check of a token', () => {
  const resource = 'http://127.0.0.1:9/billing';
  const token = () =>
    new SignJWT({}).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(new Uint8Array(32));

  it.each<[string, RequestListener]>([
    ['breaks the connection', (req) => req.socket.destroy()],
    ['answers 500', (_req, res) => void res.writeHead(500).end()],
    ['has no keys, but a page', (_req, res) => void res.end('<!doctype html>')],
  ])('does not call a token wrong while the issuer %s', async (_what, listener) => {
    const issuer = await listen(listener);
    await expect(openTokenCheck({ issuer, resource })(`Bearer ${await token()}`)).rejects.toThrow();
  });

  it('says when a token is wrong', async () => {
    const issuer = await listen((_req, res) => void res.end('{"keys":[]}'));
    const check = openTokenCheck({ issuer, resource });
    for (const each of [`Bearer ${await token()}`, 'Bearer nonsense', 'Basic YTpi', undefined])
      expect(await check(each)).toBeUndefined();
  });
});
