import { Confirm, createMcpServer, type Principal } from '@toolwright/core';
import { oauthResourceServer, serveHttp } from '@toolwright/http';
import { connect, ManualClock, type McpClient } from '@toolwright/testing';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { startDevIssuer } from '../src/dev.js';
import { approvalPage } from '../src/index.js';
import { Browser, hidden } from './support/browser.js';
import { RefundDesk, users } from './support/refund-desk.js';
import { Wire, type Json } from './support/wire.js';

let desk: RefundDesk;
beforeAll(async () => {
  desk = await RefundDesk.open();
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.refunds.length = 0;
  desk.audit.length = 0;
});

const bothEras = ['2026-07-28', '2025-11-25'] as const;

interface Opened {
  readonly url: string;
  readonly message: string;
  readonly elicitationId?: string;
}

/** Calls a tool as somebody. `person` does what the person does at the address, and then the client answers. */
async function callAs(
  subject: string,
  tool: string,
  {
    args = { order: 'A1' } as Record<string, unknown>,
    revision = '2026-07-28' as (typeof bothEras)[number],
    person = noPerson,
    action = 'accept',
  },
) {
  const opened: Opened[] = [];
  const client = await desk.connect(subject, {
    revision,
    elicit: async (question) => {
      opened.push(question as never);
      await person(question.url!);
      return { action } as never;
    },
  });
  const result = await client.call(tool, args);
  await client.close();
  return { opened, isError: result.isError === true, text: (result.content[0] as { text: string }).text };
}

const noPerson = async (_url: string): Promise<void> => undefined;

/** Signs in and answers on the page. */
const answer = (user: string, decision: string) => async (url: string) => {
  const browser = new Browser();
  const { html } = await browser.openAs(user, url);
  await browser.open(url, { token: hidden(html, 'token'), decision });
};

describe.each(bothEras)('a person approves on the page (%s)', (revision) => {
  test('and the call runs once, with its arguments, recorded with who approved', async () => {
    const person = answer('bea', 'approve');
    const args = { order: 'A1', amount: 20 };
    const { isError, text, opened } = await callAs('ann', 'refund', { revision, person, args });
    expect([isError, text]).toEqual([false, 'refunded']);
    expect(desk.refunds).toEqual([args]);
    expect(opened).toEqual([expect.objectContaining({ message: 'Refund order A1?', mode: 'url' })]);
    expect(opened[0]!.elicitationId !== undefined).toBe(revision === '2025-11-25');
    const confirmed = desk.audit.filter(({ event }) => event === 'confirmed');
    expect(confirmed).toEqual([
      expect.objectContaining({
        name: 'refund',
        principal: expect.objectContaining({ subject: 'ann' }) as unknown,
        approver: expect.objectContaining({ issuer: desk.issuer.issuer, subject: 'bea' }) as unknown,
      }),
    ]);
  });

  test.each([
    ['refund', 'bea', 'refuse', 'A person has refused refund.'],
    ['refund_own', 'ann', 'closed', 'The page was closed'],
  ])('of %s, and what %s does ends the call: %s', async (tool, user, decision, why) => {
    const person = async (url: string) => {
      const browser = new Browser();
      const { html } = await browser.openAs(user, url);
      const token = hidden(html, 'token');
      await (decision === 'closed'
        ? browser.open(`${url}/closed`, { token })
        : browser.open(url, { token, decision }));
    };
    const { isError, text } = await callAs('ann', tool, { revision, person });
    expect([isError, text]).toEqual([true, expect.stringContaining(why)]);
    expect(desk.refunds).toEqual([]);
    expect(desk.audit.at(-1)).toMatchObject({ event: 'denied', reason: 'TW_NOT_CONFIRMED' });
  });

  test('and one of several approvers who closes the page leaves it to the others', async () => {
    const person = async (url: string) => {
      const browser = new Browser();
      const { html } = await browser.openAs('bea', url);
      expect(html).not.toContain('<script>');
      await browser.open(`${url}/closed`, { token: hidden(html, 'token') });
      await answer('eli', 'approve')(url);
    };
    expect(await callAs('ann', 'refund', { revision, person })).toMatchObject({ text: 'refunded' });
  });

  test.each(['decline', 'cancel'])('and the client may "%s" the question at any time', async (action) => {
    const { isError, text, opened } = await callAs('ann', 'refund', { revision, action });
    expect([isError, text]).toEqual([true, expect.stringContaining('did not open the page')]);
    const browser = new Browser();
    const { html } = await browser.openAs('bea', opened[0]!.url);
    expect(html).toContain('The program no longer waits for an answer.');
  });
});

test('a session tells its client that the page is done, and waits for no answer of the client', async () => {
  const wire = await Wire.session(desk.server, desk.principal('ann'));
  let asked!: Json;
  let approved!: Promise<void>;
  wire.answer = (question) => {
    asked = question['params'] as Json;
    approved = answer('bea', 'approve')(asked['url'] as string);
    return undefined;
  };
  const { result } = await wire.request('tools/call', { name: 'refund', arguments: { order: 'A1' } });
  await approved;
  expect((result as Json).content[0].text).toBe('refunded');
  expect(wire.heard).toContainEqual({
    jsonrpc: '2.0',
    method: 'notifications/elicitation/complete',
    params: { elicitationId: asked['elicitationId'] },
  });
  wire.close();
});

test.each(bothEras)('a question that stays open ends after ten minutes (%s)', async (revision) => {
  const clock = new ManualClock();
  const late = await RefundDesk.open({ ports: { clock }, issuer: desk.issuer, url: desk.url });
  const began = clock.now();
  let questions = 0;
  const client = await late.connect('ann', {
    revision,
    elicit: () => {
      questions++;
      return { action: 'accept' };
    },
  });
  let text: string | undefined;
  const call = client.call('refund', { order: 'A1' }).then(({ content }) => {
    text = (content[0] as { text: string }).text;
  });
  while (text === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
  }
  await call;
  expect(text).toContain('Nobody has approved refund in time.');
  expect(clock.now() - began).toBeGreaterThanOrEqual(600_000);
  // A request of 2026-07-28 waits for less than half a minute. Then the client is asked again.
  expect(questions > 20).toBe(revision === '2026-07-28');
  expect(late.refunds).toEqual([]);
  await client.close();
  await late.close();
});

describe('who may approve', () => {
  const shownTo = async (user: string, url: string) => (await new Browser().openAs(user, url)).html;

  test.each([
    ['refund', 'ann', 'needs the scope refunds:approve'],
    ['refund', 'cleo', 'needs the scope refunds:approve'],
    ['refund', 'bea', undefined],
    ['refund_own', 'ann', undefined],
    ['refund_own', 'bea', 'Only the person whose program asks'],
    ['refund_scoped', 'bea', undefined],
    ['refund_scoped', 'ann', 'needs the scope'],
    ['refund_four_eyes', 'ann', 'You have asked for it yourself'],
    ['refund_four_eyes', 'cleo', undefined],
  ])('%s of ann, by %s: %s', async (tool, user, obstacle) => {
    let html = '';
    await callAs('ann', tool, {
      action: 'cancel',
      args: { order: 'secret-order' },
      person: async (url) => void (html = await shownTo(user, url)),
    });
    expect(html).toContain(obstacle ?? 'name="decision"');
    expect(html.includes('secret-order')).toBe(obstacle === undefined);
  });

  test('nobody approves their own call where four eyes are wanted, not even with the scope', async () => {
    let html = '';
    await callAs('bea', 'refund', {
      action: 'cancel',
      person: async (url) => void (html = await shownTo('bea', url)),
    });
    expect(html).toContain('You have asked for it yourself');
  });

  test('the page offers another sign-in', async () => {
    await callAs('ann', 'refund', {
      action: 'cancel',
      person: async (url) => {
        const browser = new Browser();
        expect((await browser.openAs('ann', url)).status).toBe(403);
        expect((await browser.openAs('bea', `${url}/sign-in`)).html).toContain('name="decision"');
      },
    });
  });
});

describe('the page', () => {
  test('shows what runs, hides what is sensitive, and cannot be framed or scripted', async () => {
    const args = { order: '<img src=x>\u202e"evil"', amount: 3, card: '4111-1111' };
    await callAs('ann', 'refund', {
      action: 'cancel',
      args,
      person: async (url) => {
        const { html, headers } = await new Browser().openAs('bea', url);
        expect(html).not.toContain('4111-1111');
        expect(html).toContain('[sensitive]');
        expect(html).not.toContain('<img');
        expect(html).not.toContain('\u202e');
        expect(html).toContain('<dt>amount</dt><dd><pre>3</pre></dd>');
        expect(html).toContain('<dt>For</dt><dd><pre>ann</pre></dd>');
        const policy = headers.get('content-security-policy')!;
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("form-action 'self'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain('unsafe');
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('cache-control')).toBe('no-store');
      },
    });
  });

  test('sets cookies that no script reads and no other site sends', async () => {
    await callAs('ann', 'refund', {
      action: 'cancel',
      person: async (url) => {
        const response = await fetch(url, { redirect: 'manual' });
        const [cookie] = response.headers.getSetCookie();
        expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
        expect(cookie).toContain('; Path=/approvals;');
        const to = new URL(response.headers.get('location')!);
        expect(to.origin).toBe(desk.issuer.issuer);
        expect(to.searchParams.get('code_challenge_method')).toBe('S256');
        expect(to.searchParams.get('scope')).toBe('openid refunds:approve');
      },
    });
  });

  test('knows nothing else', async () => {
    for (const path of ['/x', '/delegates', '/../mcp', `/${'a'.repeat(24)}/other`]) {
      const { status } = await new Browser().open(`${desk.url}${path}`);
      expect(status).toBe(404);
    }
    const unknown = await new Browser().openAs('bea', `${desk.url}/${'a'.repeat(24)}`);
    expect([unknown.status, unknown.html.includes('This question has ended')]).toEqual([404, true]);
    const noState = await new Browser().open(`${desk.url}/callback?code=x&state=y`);
    expect(noState.status).toBe(400);
  });
});

describe('who cannot be asked', () => {
  const refused = async (client: McpClient) => {
    const result = await client.call('refund', { order: 'A1' });
    expect(result.isError).toBe(true);
    await client.close();
    return (result.content[0] as { text: string }).text;
  };

  test.each([
    ['a client that only has forms', { revision: '2026-07-28', capabilities: { elicitation: { form: {} } } }],
    ['a client without questions', { revision: '2026-07-28', capabilities: {} }],
    ['an older revision', { revision: '2025-06-18', capabilities: { elicitation: { url: {} } } }],
    ['a session without pages', { revision: '2025-11-25', capabilities: { elicitation: {} } }],
  ] as const)('%s is refused', async (_, options) => {
    expect(await refused(await desk.connect('ann', options))).toContain('cannot open one (URL elicitation)');
    expect(desk.audit.at(-1)).toMatchObject({ event: 'denied', reason: 'TW_CONFIRMATION_REQUIRED' });
  });

  test('an anonymous caller is refused', async () => {
    expect(await refused(await desk.connect(undefined))).toContain('only for callers who have signed in');
  });

  test('arguments that nobody can read are refused', async () => {
    const client = await desk.connect('ann');
    const result = await client.call('refund', { order: 'x'.repeat(40_000) });
    expect((result.content[0] as { text: string }).text).toContain('too long for a person');
    await client.close();
  });
});

describe('a question that cannot be shown', () => {
  test.each([[undefined], [null], ['']])(
    'because the function of @Confirm returned %j, opens no page, and its caller gets an answer',
    async (words) => {
      desk.server.tools.add({
        name: 'wordless',
        description: 'Pays money back.',
        policies: [Confirm.entry(() => words as never, { by: 'page' })],
        handler: () => desk.refunds.push('wordless'),
      });
      const { opened, isError, text } = await callAs('ann', 'wordless', { args: {} });
      desk.server.tools.remove('wordless');
      expect([opened, isError, text]).toEqual([[], true, expect.stringMatching(/^Internal error \(ref /)]);
      expect(desk.refunds).toEqual([]);
    },
  );
});

test.each(bothEras)('only calls above an amount wait for a person (%s)', async (revision) => {
  const small = await callAs('ann', 'refund_above', { revision, args: { order: 'A1', amount: 500 } });
  expect(small).toMatchObject({ opened: [], text: 'refunded' });
  const person = answer('bea', 'approve');
  const large = await callAs('ann', 'refund_above', { revision, person, args: { order: 'A1', amount: 501 } });
  expect([large.opened.length, large.text]).toEqual([1, 'refunded']);
});

test('the page says which program asks where no person does', async () => {
  const seen: string[] = [];
  const person = async (url: string) => {
    const browser = new Browser();
    const { html } = await browser.openAs('bea', url);
    seen.push(html);
    await browser.open(url, { token: hidden(html, 'token'), decision: 'approve' });
  };
  const { subject: _, ...program } = desk.principal('ann');
  const client = await connect(desk.server, {
    capabilities: { elicitation: { url: {} } },
    principal: program as Principal,
    elicit: async ({ url }) => {
      await person(url!);
      return { action: 'accept' } as never;
    },
  });
  expect(await client.callText('refund_scoped', { order: 'A1' })).toBe('refunded');
  await client.close();
  expect(seen[0]).toContain('<dt>For</dt><dd><pre>agent</pre></dd>');
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
