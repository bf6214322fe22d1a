import { createMcpServer } from '@toolwright/core';
import { MemoryClaimStore, MemoryRecordStore } from '@toolwright/core/ports';
import { oauthResourceServer, serveHttp } from '@toolwright/http';
import { ManualClock } from '@toolwright/testing';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { startDevIssuer } from '../src/dev.js';
import { approvalPage } from '../src/index.js';
import { Browser, hidden } from './support/browser.js';
import { RefundDesk, users } from './support/refund-desk.js';
import { Wire, type Json } from './support/wire.js';

const secrets = ['a secret that all processes of the server have'];

/** Lets time pass until there is an answer: a process looks at what another one has done once a second. */
async function withTime<T>(clock: ManualClock, answer: Promise<T>, mayPass = () => true): Promise<T> {
  let isThere = false;
  const done = answer.finally(() => (isThere = true));
  while (!isThere) {
    await new Promise((resolve) => setImmediate(resolve));
    if (mayPass()) clock.advance(1_000);
  }
  return done;
}

test.each(['2026-07-28', '2025-11-25'] as const)(
  'the page of another process approves (%s)',
  async (revision) => {
    const clock = new ManualClock();
    const stores = { claims: new MemoryClaimStore(clock), records: new MemoryRecordStore(clock) };
    const there = await RefundDesk.open({ secrets, ports: { clock }, stores });
    const here = await RefundDesk.open({
      secrets,
      ports: { clock },
      stores,
      issuer: there.issuer,
      url: there.url,
    });
    let isDecided = false;
    const client = await here.connect('ann', {
      revision,
      elicit: async ({ url }) => {
        const browser = new Browser();
        const { html } = await browser.openAs('bea', url!);
        await browser.open(url!, { token: hidden(html, 'token'), decision: 'approve' });
        isDecided = true;
        return { action: 'accept' };
      },
    });
    const result = await withTime(clock, client.call('refund', { order: 'A1' }), () => isDecided);
    expect(result.isError).not.toBe(true);
    expect([here.refunds, there.refunds]).toEqual([[{ order: 'A1' }], []]);
    // What is kept is sealed.
    for (const [, value] of stores.records.list('approvals')) expect(value).not.toContain('order');
    await client.close();
    await here.close();
    await there.close();
  },
);

test('a call may go on in another process, and runs in one alone', async () => {
  const clock = new ManualClock();
  const stores = { claims: new MemoryClaimStore(clock), records: new MemoryRecordStore(clock) };
  const one = await RefundDesk.open({ secrets, ports: { clock }, stores });
  const two = await RefundDesk.open({ secrets, ports: { clock }, stores, issuer: one.issuer, url: one.url });
  const first = await new Wire(one.server, one.principal('ann')).call('refund', { order: 'A1' });
  const { inputRequests, requestState } = first['result'] as Json;
  const [key, { params }] = Object.entries(inputRequests as Json)[0]! as [string, Json];
  const browser = new Browser();
  const { url } = params as { url: string };
  const { html } = await browser.openAs('bea', url);
  await browser.open(url, { token: hidden(html, 'token'), decision: 'approve' });
  const rounds = [one, two].map((desk) =>
    new Wire(desk.server, desk.principal('ann')).call(
      'refund',
      { order: 'A1' },
      { requestState, inputResponses: { [key]: { action: 'accept' } } },
    ),
  );
  await withTime(clock, Promise.all(rounds));
  expect([...one.refunds, ...two.refunds]).toEqual([{ order: 'A1' }]);
  await two.close();
  await one.close();
});

test('serveHttp serves the page beside the endpoint', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const issuer = await startDevIssuer({ users, resource: `${origin}/mcp` });
  const oauth = oauthResourceServer({ resource: `${origin}/mcp`, issuers: [issuer.issuer] });
  const server = await createMcpServer({
    name: 'alone',
    version: '1.0.0',
    services: [],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    approvals: { url: `${origin}/approvals`, oauth, issuer: issuer.issuer, clientId: 'page' },
  });
  const service = await serveHttp(server, { port, oauth, pages: approvalPage(server), signals: false });
  const page = await fetch(`${origin}/approvals/${'a'.repeat(24)}`, { redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([303, expect.stringContaining(issuer.issuer)]);
  expect((await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`)).status).toBe(200);
  expect((await fetch(`${origin}/other`)).status).toBe(404);
  await service.close();
  await issuer.close();
});
