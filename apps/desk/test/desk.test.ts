import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { Browser, hidden } from '../../../packages/identity/test/support/browser.js';
import { beginTask, taskWhen } from '../../fleet/src/load/tasks.js';
import { freePort } from '../../fleet/src/processes/free-port.js';
import { builtFile, StartedApp } from '../../pages/test/started-app.js';
import { Agent, type ToolAnswer } from './support/agent.js';
import { approveAs } from './support/approve.js';
import { seriesIn } from './support/series-in.js';

const TOOLS = [
  'assign_ticket',
  'chart_tickets',
  'close_ticket',
  'create_ticket',
  'export_tickets',
  'get_ticket',
  'list_agents',
  'list_invoices',
  'list_tickets',
  'look_up_customer',
  'refund',
  'reply_to_ticket',
  'report_tickets',
  'search_tickets',
];

interface Listed {
  tickets: { id: string; subject: string; status: string; assignee: string | null }[];
}

let app: StartedApp;
let endpoint: string;
let origin: string;
let metricsPort: number;
/** An agent of Acme, and one of Globex. */
let ann: Agent;
let gil: Agent;
/** What happens with the next page that a question opens. */
let onPage: (url: string) => Promise<void> = () => Promise.resolve();
const data = temporaryFolder();

beforeAll(async () => {
  metricsPort = await freePort();
  app = await StartedApp.start(builtFile('desk', 'main.js'), {
    DESK_DATA: data,
    METRICS_PORT: String(metricsPort),
  });
  endpoint = app.url.href;
  ({ origin } = app.url);
  ann = await Agent.signIn(endpoint, 'ann', { onPage: (url) => onPage(url) });
  gil = await Agent.signIn(endpoint, 'gil', { onPage: (url) => onPage(url) });
});

afterAll(async () => {
  await ann?.close();
  await gil?.close();
  expect(await app.stop()).toBe(0);
});

const textOf = ({ content }: ToolAnswer) => content.map(({ text = '' }) => text).join('\n');

it('says where it is, where its issuer is, and nothing else', () => {
  expect(app.stdout).toEqual([
    expect.stringMatching(/^desk listening on http:\/\/127\.0\.0\.1:\d+\/mcp$/),
    expect.stringMatching(/^issuer at http:\/\/127\.0\.0\.1:\d+$/),
  ]);
});

describe('Two tenants', () => {
  it('see the same 14 tools, and each the tool of its own plug-in', async () => {
    const lists = [await ann.tools(), await gil.tools()];
    for (const tools of lists) expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS);
    const [shop, depot] = lists.map((tools) => tools.find(({ name }) => name === 'look_up_customer')!);
    expect(shop!.description).toContain('Acme');
    expect(depot!.description).toContain('Globex');
    expect(textOf(await ann.call('look_up_customer', { customer: 'iris@example.com' }))).toContain('Kettle');
    expect(textOf(await gil.call('look_up_customer', { customer: 'depot@example.org' }))).toContain('Lyon');
  });

  it('never see tickets of the other one, whatever they ask', async () => {
    const { tickets } = await gil.data<Listed>('list_tickets');
    expect(tickets.map(({ id }) => id).sort()).toEqual(['GLOBEX-1', 'GLOBEX-2']);
    expect((await gil.data<Listed>('search_tickets', { query: 'kettle' })).tickets).toEqual([]);
    const refusals = [
      await gil.call('get_ticket', { ticketId: 'ACME-1' }),
      await gil.call('reply_to_ticket', { ticketId: 'ACME-1', text: 'mine' }),
      await gil.call('close_ticket', { ticketId: 'ACME-1', resolution: 'mine' }),
      await gil.call('list_invoices', { ticketId: 'ACME-1' }),
      await gil.call('assign_ticket', { ticketId: 'GLOBEX-1', agent: 'ann' }),
    ];
    expect(refusals.map(({ isError }) => isError)).toEqual([true, true, true, true, true]);
    expect(textOf(refusals[0]!)).toBe('No ticket has the id "ACME-1". Find ids with search_tickets.');
    await expect(gil.read('ticket://ACME-1')).rejects.toThrow();
    const { body } = await ann.data<{ body: string }>('get_ticket', { ticketId: 'ACME-1' });
    expect(body).toContain('boils');
  });
});

describe('An agent', () => {
  it('opens, finds, assigns, answers and closes a ticket', async () => {
    const opened = await ann.data<{ id: string }>('create_ticket', {
      subject: 'The lid squeaks',
      body: 'Every time.',
      customer: 'zoe@example.com',
    });
    expect(opened.id).toMatch(/^ACME-\d+$/);
    const found = await ann.data<Listed>('search_tickets', { query: 'squeaks' });
    expect(found.tickets.map(({ id }) => id)).toEqual([opened.id]);
    const { agents } = await ann.data<{ agents: { subject: string }[] }>('list_agents');
    expect(agents.map(({ subject }) => subject)).toEqual(['ann', 'bea']);
    const ticketId = opened.id;
    expect(await ann.data('assign_ticket', { ticketId, agent: 'bea' })).toMatchObject({ assignee: 'bea' });
    await ann.data('reply_to_ticket', { ticketId, text: 'Oil helps.' });
    await ann.data('close_ticket', { ticketId, resolution: 'Oiled.' });
    expect(await ann.data('get_ticket', { ticketId })).toMatchObject({
      status: 'closed',
      assignee: 'bea',
      resolution: 'Oiled.',
      replies: [{ author: 'ann', text: 'Oil helps.' }],
    });
  });

  it('is told that a customer has bought nothing, whatever the name', async () => {
    for (const customer of ['constructor', '__proto__', 'nobody@example.com'])
      expect(JSON.parse(textOf(await ann.call('look_up_customer', { customer })))).toEqual({
        customer,
        tenant: 'acme',
        bought: [],
      });
  });

  it('gets a chart, as an image and in figures', async () => {
    const { content } = await ann.call('chart_tickets', { days: 10 });
    expect(content[0]).toMatchObject({ type: 'image', mimeType: 'image/svg+xml' });
    expect(Buffer.from(content[0]!.data!, 'base64').toString()).toMatch(/^<svg .*<\/svg>$/);
    expect(content[1]!.text!.split('\n')).toHaveLength(10);
  });

  it('gets a report as a task, and follows it to its end', async () => {
    const user = ann.token;
    const id = await beginTask(endpoint, 'report_tickets', { days: 20 }, { user });
    const { status, result } = await taskWhen(endpoint, id, { user });
    expect(status).toBe('completed');
    expect(result!.structuredContent).toMatchObject({ tenant: 'Acme Kettles', days: 20, opened: 4 });
    await expect(taskWhen(endpoint, id, { user: gil.token })).rejects.toThrow('no such task');
  });

  it('gets a link to a CSV, for its token or on its pages, and for nobody else', async () => {
    const { content } = await ann.call('export_tickets');
    const uri = content.find(({ type }) => type === 'resource_link')!.uri!;
    const fetchAs = (token: string, at = uri) =>
      fetch(at, { redirect: 'manual', headers: { authorization: `Bearer ${token}` } });
    const response = await fetchAs(ann.token);
    expect(response.headers.get('content-type')).toContain('text/csv');
    const csv = await response.text();
    expect(csv).toMatch(/^id,subject,customer,status,assignee,updatedAt\r\n/);
    expect(csv).toContain('ACME-1,');
    expect(csv).not.toContain('GLOBEX');
    expect((await fetchAs(gil.token)).status).toBe(404);
    expect((await fetchAs('forged')).status).toBe(401);
    expect((await fetchAs(ann.token, uri.slice(0, -2) + (uri.endsWith('AA') ? 'BB' : 'AA'))).status).toBe(
      404,
    );
    // In a browser, its person signs in and gets the file. Another person of the same tenant does not.
    for (const [user, status] of [
      ['ann', 200],
      ['bea', 404],
    ] as const) {
      const shown = await new Browser().openAs(user, uri);
      expect([user, shown.status, shown.html.includes('ACME-1,')]).toEqual([user, status, status === 200]);
    }
  });

  it('completes the ids of tickets, and gets a prompt', async () => {
    const { completion } = await ann.client.complete({
      ref: { type: 'ref/resource', uri: 'ticket://{id}' },
      argument: { name: 'id', value: 'ac' },
    });
    expect(completion.values).toEqual(expect.arrayContaining(['ACME-1', 'ACME-2']));
    const { messages } = await ann.client.getPrompt({
      name: 'answer_ticket',
      arguments: { ticketId: 'ACME-2' },
    });
    expect(JSON.stringify(messages)).toContain('ticket://ACME-2');
  });

  it('may send a text with the character NUL, which PostgreSQL cannot hold', async () => {
    const { id: ticketId } = await ann.data<{ id: string }>('create_ticket', {
      subject: 'A \0hole',
      body: 'in \0it',
      customer: 'zoe@example.com',
    });
    expect(await ann.data('reply_to_ticket', { ticketId, text: 'N\0one.' })).toMatchObject({ id: ticketId });
    await ann.data('close_ticket', { ticketId, resolution: 'Fil\0led.' });
    expect(await ann.data('get_ticket', { ticketId })).toMatchObject({
      subject: 'A hole',
      body: 'in it',
      resolution: 'Filled.',
      replies: [{ text: 'None.' }],
    });
    const { tickets } = await ann.data<Listed>('search_tickets', { query: 'A h\0ole' });
    expect(tickets.map(({ id }) => id)).toEqual([ticketId]);
    expect(app.stderr).toEqual([]);
  });

  it('who lacks a scope sees the tool, and is told what to ask for', async () => {
    const eve = await Agent.signIn(endpoint, 'eve');
    const close = (await eve.tools()).find(({ name }) => name === 'close_ticket')!;
    expect(JSON.stringify(close._meta)).toContain('tickets:write');
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'close_ticket',
        authorization: `Bearer ${eve.token}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'close_ticket',
          arguments: { ticketId: 'ACME-1', resolution: 'done' },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('tickets:write');
    await eve.close();
  });
});

describe('The billing service', () => {
  it('answers an agent with a token of its own, and shows each tenant its invoices', async () => {
    expect(await ann.data('list_invoices', { ticketId: 'ACME-1' })).toEqual({
      invoices: [{ number: 'A-1001', customer: 'iris@example.com', cents: 3_900, refunded: 0 }],
    });
    expect(await gil.data('list_invoices', { ticketId: 'GLOBEX-1' })).toMatchObject({
      invoices: [{ number: 'G-2001' }],
    });
  });

  it('refuses the token that a client has for the desk', async () => {
    const response = await fetch(`${origin}/billing/invoices?customer=iris@example.com`, {
      headers: { authorization: `Bearer ${ann.token}` },
    });
    expect(response.status).toBe(401);
  });

  it('pays back what another person of the team has approved on the page', async () => {
    let html = '';
    onPage = async (url) => void ({ html } = await approveAs('bea', url));
    const args = { ticketId: 'ACME-1', invoice: 'A-1001', cents: 1_000 };
    expect(await ann.data('refund', args)).toMatchObject({ number: 'A-1001', refunded: 1_000 });
    expect(html).toContain('Pay back 10.00 of invoice A-1001 for ticket ACME-1?');
    const { replies } = await ann.data<{ replies: { text: string }[] }>('get_ticket', { ticketId: 'ACME-1' });
    expect(replies.map(({ text }) => text)).toContain('We have paid back 10.00.');
    const audit = readFileSync(join(data, 'audit.jsonl'), 'utf8');
    expect(audit).toMatch(/"approver":\{[^}]*"subject":"bea"/);
  });

  it.each([
    ['ann', 'needs the scope refunds:approve'],
    ['hal', 'another organisation'],
  ])('pays nothing back that %s would approve', async (user, obstacle) => {
    let html = '';
    onPage = async (url) => {
      ({ html } = await approveAs(user, url));
      throw new Error('The person gives up.');
    };
    const refusal = ann.call('refund', { ticketId: 'ACME-1', invoice: 'A-1001', cents: 177 });
    await refusal.catch(() => undefined);
    expect(html).toContain(obstacle);
    expect(html).not.toContain('ACME-1');
    expect(await ann.data('list_invoices', { ticketId: 'ACME-1' })).toMatchObject({
      invoices: [{ refunded: 1_000 }],
    });
  });

  it.each(['A-1002', 'A-1001\0', 'G-2001'])(
    'pays nothing back of an invoice that the customer of the ticket does not have (%j)',
    async (invoice) => {
      onPage = async (url) => void (await approveAs('bea', url));
      const refused = await ann.call('refund', { ticketId: 'ACME-1', invoice, cents: 1 });
      expect(textOf(refused)).toBe(
        'The customer of ACME-1 has no such invoice. Find invoices with list_invoices.',
      );
    },
  );

  it('does not let an agent look at invoices who may only read tickets', async () => {
    const eve = await Agent.signIn(endpoint, 'eve');
    const refused = await eve.call('list_invoices', { ticketId: 'ACME-1' });
    expect(textOf(refused)).toBe('The billing service does not let this user do that.');
    await eve.close();
  });

  it('says why it does not pay back more than there is', async () => {
    onPage = async (url) => void (await approveAs('bea', url));
    const refused = await ann.call('refund', { ticketId: 'ACME-1', invoice: 'A-1001', cents: 500_000 });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).toContain('less than that is left');
  });
});

describe('The pages', () => {
  const openAs = async (user: string, path: string) => {
    const browser = new Browser();
    return { browser, shown: await browser.openAs(user, origin + path) };
  };

  it('know the same people, after a sign-in at the same issuer', async () => {
    const { browser, shown } = await openAs('bea', '/tickets');
    expect(shown.html).toContain('bea, Acme Kettles');
    expect(shown.html).toContain('ACME-1');
    expect(shown.html).not.toContain('GLOBEX');
    expect((await browser.open(`${origin}/tickets/GLOBEX-1`)).status).toBe(404);
    expect([...browser.cookies.get(origin)!.keys()]).toEqual(['desk']);
  });

  it('say so when a person does not sign in, or comes back to another sign-in', async () => {
    const browser = new Browser();
    const { at } = await browser.open(`${origin}/tickets`);
    const refused = await browser.open(at, { user: '' });
    const astray = await browser.open(`${origin}/sign-in/callback?code=invented&state=other`);
    for (const { status, html } of [refused, astray]) {
      expect(status).toBe(400);
      expect(html).toContain('<a href="/sign-in">try again</a>');
    }
    expect(app.stderr).toEqual([]);
  });

  it('take no form of another site', async () => {
    const { browser } = await openAs('bea', '/tickets/ACME-2');
    const { status } = await browser.open(`${origin}/tickets/ACME-2/replies`, {
      text: 'forged',
      token: 'guessed',
    });
    expect(status).toBe(403);
  });

  it.each([
    ['2026-07-28', { pin: '2026-07-28' }],
    ['2025-11-25', 'legacy'],
  ] as const)('tell clients that watch a ticket when somebody answers on a page (%s)', async (_, mode) => {
    const watcher = await Agent.signIn(endpoint, 'ann', {}, mode);
    const updated = new Promise<void>((resolve) => void watcher.watch('ticket://ACME-2', resolve));
    const { browser, shown } = await openAs('bea', '/tickets/ACME-2');
    const reply = { text: `It <arrives> today, says ${_}.`, token: hidden(shown.html, 'token') };
    const { html } = await browser.open(`${origin}/tickets/ACME-2/replies`, reply);
    expect(html).toContain('It &#60;arrives&#62; today');
    await updated;
    expect(JSON.stringify(await watcher.read('ticket://ACME-2'))).toContain(`today, says ${_}.`);
    await watcher.close();
  });
});

it('The tools are those that the lock has', async () => {
  const command = require
    .resolve('@toolwright/cli/package.json')
    .replace('package.json', 'bin/toolwright.js');
  const run = promisify(execFile);
  const args = [command, 'diff', '--app', 'dist/create-server.js', '--fail-on', 'any'];
  const { stdout } = await run(process.execPath, args, { cwd: join(__dirname, '..') });
  expect(stdout).toBe('No changes.\n');
});

it('The users of a tenant share the points of its plan', async () => {
  const answers: ToolAnswer[] = [];
  do answers.push(await gil.call('list_agents'));
  while (!answers.at(-1)!.isError && answers.length < 100);
  expect(answers.length).toBeLessThanOrEqual(60);
  expect(textOf(answers.at(-1)!)).toMatch(/limit/i);
  expect(await ann.data('list_agents')).toHaveProperty('agents');
});

it('Each figure of the dashboard is measured', async () => {
  const dashboard = readFileSync(join(__dirname, '../monitoring/grafana-dashboard.json'), 'utf8');
  const { panels } = JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] };
  const asked = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => seriesIn(expr)));
  const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const measured = [...new Set(figures.match(/^\w+/gm))];
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((name) => !measured.some((series) => name.test(series)))).toEqual([]);
});
