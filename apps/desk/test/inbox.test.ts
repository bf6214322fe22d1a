import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { Browser, hidden } from '../../../packages/identity/test/support/browser.js';
import { builtFile, StartedApp } from '../../pages/test/started-app.js';
import { Agent } from './support/agent.js';

let app: StartedApp;
let ann: Agent;
/** What happens with the next page that a question opens. */
let onPage: (url: string) => Promise<void>;
/** The chat of the team, and what was posted to it. */
const chat = createServer();
const messages: string[] = [];
const data = temporaryFolder();

beforeAll(async () => {
  chat.on('request', (req, res) => {
    req.on('data', (chunk: Buffer) => messages.push((JSON.parse(String(chunk)) as { text: string }).text));
    req.on('end', () => res.end());
  });
  await once(chat.listen(0, '127.0.0.1'), 'listening');
  app = await StartedApp.start(builtFile('desk', 'main.js'), {
    DESK_DATA: data,
    DESK_CHAT: `http://127.0.0.1:${(chat.address() as AddressInfo).port}/hook`,
  });
  ann = await Agent.signIn(app.url.href, 'ann', { onPage: (url) => onPage(url) });
});
afterAll(async () => {
  await ann?.close();
  await app?.stop();
  chat.close();
});

it('leads from the list of tickets to what waits', async () => {
  const { html } = await new Browser().openAs('bea', `${app.url.origin}/tickets`);
  expect(html).toContain('<a href="/approvals">What waits for you</a>');
});

it('posts to the chat what waits, and pays back what a team lead approves in the inbox', async () => {
  let html = '';
  onPage = async (url) => {
    while (messages.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(messages).toEqual([expect.stringMatching(/^ann of acme asks: Pay back 1\.50 .* http:/)]);
    expect(messages[0]).toContain(url);
    const browser = new Browser();
    ({ html } = await browser.openAs('bea', `${app.url.origin}/approvals`));
    const action = /action="([^"]+)"/.exec(html)![1]!;
    await browser.open(new URL(action, url), { token: hidden(html, 'token'), decision: 'approve' });
  };
  const args = { ticketId: 'ACME-1', invoice: 'A-1001', cents: 150 };
  expect(await ann.data('refund', args)).toMatchObject({ refunded: 150 });
  expect(html).toContain('Pay back 1.50 of invoice A-1001 for ticket ACME-1?');
  // A team lead may name a delegate there.
  expect(html).toContain('Name a delegate');
});

it('pays back small amounts without asking anybody', async () => {
  onPage = async () => {
    throw new Error('Somebody was asked.');
  };
  const args = { ticketId: 'ACME-1', invoice: 'A-1001', cents: 99 };
  expect(await ann.data('refund', args)).toMatchObject({ refunded: 249 });
});
