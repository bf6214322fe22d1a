import {
  createMcpServer,
  MaxOutput,
  RateLimit,
  RequireScopes,
  type McpServer,
  type Principal,
} from '@toolwright/core';
import { systemClock } from '@toolwright/core/ports';
import { connect, RpcError } from '../src/index.js';

/*
 * What somebody tries who wants the rest of another caller's result, or the rest of an own result that they may not see any
 * more. Each trial is made with the cursor and with the link, on a tool that only reads and on one that runs once.
 */

const secrets = ['s'.repeat(32)];
const canary = 'canary of acme';
const rows = Array.from({ length: 300 }, (_, id) => `${canary} ${id}`);
type Known = Principal & { claims?: object };
const ann: Known = {
  subject: 'ann',
  issuer: 'https://issuer.example',
  clientId: 'desk',
  tenant: 'acme',
  scopes: ['rows'],
  claims: { role: 'agent', exp: 1, jti: 'a' },
};

let now: number;
let isAllowed: boolean;
let server: McpServer;
/** What all servers keep results in. */
let kept: Map<string, unknown>;

async function boot(readOnlyHint: boolean, name = 'rows'): Promise<McpServer> {
  const made = await createMcpServer({
    name,
    version: '1',
    services: [],
    secrets,
    audit: false,
    stores: {
      cache: { get: async (key) => kept.get(key), set: async (key, value) => void kept.set(key, value) },
    },
    authorize: (principal) => isAllowed || principal?.subject !== 'ann',
    ports: { clock: { now: () => now, after: (ms, run) => systemClock.after(ms, run) } },
  });
  addTools(made, readOnlyHint);
  return made;
}

function addTools(to: McpServer, readOnlyHint: boolean): void {
  const shared = {
    description: 'Lists rows.',
    annotations: { readOnlyHint },
    inputSchema: { type: 'object' as const, properties: { table: { type: 'string' } } },
    policies: [MaxOutput.entry({ bytes: 1_500, link: true }), RequireScopes.entry('rows')],
    handler: () => rows,
  };
  to.tools.add({ ...shared, name: 'rows', version: '1' });
  to.tools.add({ ...shared, name: 'rows', version: '2', description: 'Lists rows, the new way.' });
  to.tools.add({ ...shared, name: 'others' });
  for (const tenant of ['acme', 'globex'])
    to.tools.add({ ...shared, name: 'own', for: (principal) => principal?.tenant === tenant });
}

beforeEach(async () => {
  now = 1_800_000_000_000;
  isAllowed = true;
  kept = new Map();
});
afterEach(() => server.close(0));

/** What a trial sends, with what the first caller got. */
interface Trial {
  who?: Known | undefined;
  /** The tool that the first caller has called. */
  first?: string;
  tool?: string;
  args?: object;
  /** Changes the cursor, or the last part of the link. */
  forge?(sealed: string): string;
  to?(readOnlyHint: boolean): Promise<McpServer>;
  between?(): void;
}

const flip = (at: number) => (sealed: string) =>
  sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);

const trials: readonly [what: string, trial: Trial][] = [
  ['another person', { who: { ...ann, subject: 'bob' } }],
  ['the same name at another tenant', { who: { ...ann, tenant: 'globex' } }],
  ['the same name without a tenant', { who: (({ tenant: _, ...others }) => others)(ann) }],
  ['the same name at another issuer', { who: { ...ann, issuer: 'https://evil.example' } }],
  ['the same person through another client', { who: { ...ann, clientId: 'evil' } }],
  [
    'a subject that looks like the key of a tenant',
    { who: { subject: '["tenant","acme","ann"]', scopes: ['rows'] } },
  ],
  ['another role', { who: { ...ann, claims: { role: 'guest' } } }],
  ['more scopes', { who: { ...ann, scopes: ['rows', 'admin'] } }],
  ['nobody', { who: undefined }],
  ['the caller after the scope was taken away', { who: { ...ann, scopes: [] } }],
  ['the caller after the server has locked it out', { between: () => (isAllowed = false) }],
  ['the caller after ten minutes', { between: () => (now += 600_000) }],
  ['the caller after the tool was removed', { between: () => server.tools.remove('others') }],
  [
    'the caller after the tool means something else',
    { between: () => server.tools.update('others', { description: 'Lists other rows.' }) },
  ],
  ['another tool', { tool: 'own' }],
  ['another version', { first: 'rows.v1', tool: 'rows.v2' }],
  ['the newest version', { first: 'rows.v1', tool: 'rows' }],
  ['the tool of another tenant', { first: 'own', tool: 'own', who: { ...ann, tenant: 'globex' } }],
  ['another server with the same secrets', { to: (readOnlyHint) => boot(readOnlyHint, 'other') }],
  ['a cut text', { forge: (sealed) => sealed.slice(0, -1) }],
  ['a longer text', { forge: (sealed) => `${sealed}AAAA` }],
  ['no text', { forge: () => '' }],
  ['words', { forge: () => '__proto__' }],
  ...[0, 3, 6, 20, 40, 70, 120].map((at): [string, Trial] => [
    `a text that is changed at ${at}`,
    { forge: flip(at) },
  ]),
];

const cursorIn = (text: string) => /\\"cursor\\": \\"([^"\\]+)/.exec(text)?.[1];
const linkIn = (text: string) => /toolwright-rest:[^"]+/.exec(text)?.[0];

describe.each([
  ['a tool that only reads', true],
  ['a tool that runs once', false],
])('%s', (_kind, readOnlyHint) => {
  beforeEach(async () => {
    server = await boot(readOnlyHint);
  });

  const outcome = async (asked: Promise<unknown>) => {
    try {
      return JSON.stringify(await asked);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return `refused: ${error.message}`;
    }
  };

  async function attempt(trial: Trial): Promise<{ cursor: string; link: string }> {
    const { first = 'others', tool = first, args = {}, forge = (sealed: string) => sealed } = trial;
    const who = 'who' in trial ? trial.who : ann;
    const owner = await connect(server, { principal: ann });
    const given = JSON.stringify(await owner.call(first, { table: 'a' }));
    const [cursor, link] = [cursorIn(given)!, linkIn(given)!];
    trial.between?.();
    const at = (await trial.to?.(readOnlyHint)) ?? server;
    const client = await connect(at, { ...(who && { principal: who }) });
    const uri = link.replace(/[^/]+\/[^/]+$/, (end) => {
      const [of, sealed] = end.split('/') as [string, string];
      return `${tool === first ? of : tool}/${forge(sealed)}`;
    });
    const answers = {
      cursor: await outcome(client.call(tool, { table: 'a', ...args, cursor: forge(cursor) })),
      link: await outcome(client.read(uri)),
    };
    if (at !== server) await at.close(0);
    return answers;
  }

  test('the caller itself gets the rest, also with a new token', async () => {
    const fresh = { ...ann, claims: { ...ann.claims, exp: 2, jti: 'b' } };
    for (const who of [ann, fresh]) {
      const { cursor, link } = await attempt({ who });
      expect(cursor).toContain(`${canary} 75`);
      expect(link).toContain(`${canary} 299`);
    }
  });

  test.each(trials)('is not read on by %s', async (_what, trial) => {
    const { cursor, link } = await attempt(trial);
    for (const answer of [cursor, link]) expect(answer).not.toContain(canary);
    expect(cursor).toMatch(/^refused|"isError":true/);
    expect(link).toMatch(/^refused: Resource not found: toolwright-rest:/);
  });

  test('is not read with other arguments', async () => {
    const { cursor } = await attempt({ args: { table: 'b' } });
    expect(cursor).toContain('"isError":true');
    expect(cursor).not.toContain(canary);
  });

  test('a cursor is no link, and a link no cursor', async () => {
    const client = await connect(server, { principal: ann });
    const given = JSON.stringify(await client.call('others', { table: 'a' }));
    const [cursor, link] = [cursorIn(given)!, linkIn(given)!];
    const [start, sealed] = [link.slice(0, link.lastIndexOf('/') + 1), link.slice(link.lastIndexOf('/') + 1)];
    expect(await outcome(client.call('others', { table: 'a', cursor: sealed }))).toContain('cannot be used');
    expect(await outcome(client.read(`${start}${cursor}`))).toContain('refused: Resource not found');
    for (const tool of ['..%2Fothers', 'others%00', '%', 'constructor', 'x'.repeat(500)])
      expect(await outcome(client.read(`toolwright-rest:///${tool}/${sealed}`))).toContain('refused');
  });

  test('nobody learns from the answer whether a tool exists, or whether a link was good', async () => {
    const owner = await connect(server, { principal: ann });
    const link = linkIn(JSON.stringify(await owner.call('others', { table: 'a' })))!;
    const stranger = await connect(server, { principal: { subject: 'eve', scopes: [] } });
    const shapes = await Promise.all(
      [link, link.replace('others', 'nothing'), `${link}A`].map(async (uri) =>
        (await outcome(stranger.read(uri))).replace(/(nothing|others)\/.*/, '…'),
      ),
    );
    expect(new Set(shapes).size).toBe(1);
  });

  test('reading rests is counted by the limit of the tool', async () => {
    const limited = {
      description: 'Lists rows.',
      annotations: { readOnlyHint },
      policies: [
        MaxOutput.entry({ bytes: 1_500, link: true }),
        RateLimit.entry({ points: 3, per: '1m', cost: 1 }),
      ],
      handler: () => rows,
    };
    server.tools.add({ ...limited, name: 'limited' });
    const client = await connect(server, { principal: ann });
    const link = linkIn(JSON.stringify(await client.call('limited')))!;
    const answers: string[] = [];
    for (let trial = 0; trial < 4; trial++) answers.push(await outcome(client.read(link)));
    expect(answers.map((answer) => answer.startsWith('refused'))).toEqual([false, false, true, true]);
    expect(answers[3]).toMatch(/limit|wait|again/i);
  });
});
