import { count, size } from '../../../.ci/test/support/proof.js';
import { Cache, McpService, McpTool, type McpServer, ToolContext } from '../src/index.js';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot } from './support/booting.js';
import { StatelessWire, type WireAnswer } from './wire/stateless-wire.js';

// Tenants whose users have the same issuer and the same subject call at the same time. Every answer names its tenant.

const TENANTS = 50;
/** The sample; `pnpm proof` makes a hundred times as many. */
const CALLS = 10_000 * size;
const AT_A_TIME = 200;

@McpService()
class Shared {
  /** Is slow to say whose the call is. */
  @McpTool({ annotations: { readOnlyHint: true } })
  async whose(ctx: ToolContext) {
    await new Promise((resolve) => setImmediate(resolve));
    return secretOf(ctx);
  }
  /** Keeps what it says. */
  @McpTool({ annotations: { readOnlyHint: true } })
  @Cache({ ttl: '1h' })
  kept(key: string, ctx: ToolContext) {
    return `${key} ${secretOf(ctx)}`;
  }
}

const manifest = handMadeManifest({
  file: 'src/shared.ts',
  name: 'Shared',
  methods: { whose: [], kept: ['key'] },
});
for (const entry of manifest.entries)
  entry.parameters = [...entry.parameters, { name: 'ctx', kind: 'inject', inject: 'ToolContext' }];

const canary = (tenant: string) => `secret-of-${tenant}.`;
const secretOf = ({ principal }: ToolContext) => canary(principal!.tenant!);

/** The same numbers in each run of the sample. */
let state = 20_261_126;
function upTo(max: number): number {
  if (size > 1) return Math.floor(Math.random() * max);
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * max);
}

interface Tenant {
  readonly name: string;
  readonly wire: StatelessWire;
  /** The tasks and the open questions that it has begun. */
  readonly tasks: string[];
  readonly states: string[];
}

const capabilities = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const principalOf = (tenant: string) => ({
  ...{ issuer: 'https://login.example.com', subject: 'ann', clientId: 'app', scopes: [], tenant },
});

async function serve(): Promise<{ server: McpServer; tenants: Tenant[] }> {
  const server = await boot({
    ...{ services: [Shared], manifest, rateLimit: false, concurrency: false },
    tasks: { ttl: '1s' },
  });
  const names = Array.from({ length: TENANTS }, (_, index) => `t${index}`);
  server.tools.add(
    names.map((name) => ({
      ...{ name: 'export', description: `Of ${name}.`, annotations: { readOnlyHint: true } },
      for: (principal: { tenant?: string } | undefined) => principal?.tenant === name,
      handler: () => canary(name),
    })),
  );
  server.tools.add({
    ...{ name: 'ask', description: 'Asks.', annotations: { readOnlyHint: true } },
    async handler(_args, ctx) {
      await ctx.elicit('ok', { message: secretOf(ctx), schema: { type: 'object', properties: {} } });
      return secretOf(ctx);
    },
  });
  server.tools.add({
    ...{
      name: 'work',
      description: 'Works.',
      annotations: { readOnlyHint: true },
      task: 'required' as const,
    },
    handler: (_args, ctx) => secretOf(ctx),
  });
  const tenants = names.map((name) => {
    const peer = { principal: principalOf(name), ip: undefined, transport: 'memory' as const };
    return { name, wire: new StatelessWire(server, peer, capabilities), tasks: [], states: [] };
  });
  return { server, tenants };
}

/** Every kind of call, each with the answer that it may have: one of its own, or none. */
const kinds: ((one: Tenant, other: Tenant) => Promise<{ answer: WireAnswer; isForeign?: boolean }>)[] = [
  async ({ wire }) => ({ answer: await wire.call('whose') }),
  async ({ wire }) => ({ answer: await wire.call('export') }),
  async ({ wire }) => ({ answer: await wire.call('kept', { key: `k${upTo(5)}` }) }),
  async ({ wire }) => ({ answer: await wire.request('tools/list') }),
  async ({ wire, states }) => {
    const answer = await wire.call('ask');
    if (states.push(answer.result.requestState) > 5) states.shift();
    return { answer };
  },
  async ({ wire, tasks }) => {
    const answer = await wire.call('work');
    if (answer.result?.taskId && tasks.push(answer.result.taskId) > 5) tasks.shift();
    return { answer };
  },
  async ({ wire, tasks }) => ({
    answer: await wire.request('tasks/get', { taskId: tasks.at(-1) ?? 'none' }),
  }),
  async ({ wire }, { tasks }) => ({
    answer: await wire.request('tasks/get', { taskId: tasks[0] ?? 'none' }),
    isForeign: true,
  }),
  async ({ wire }, { states }) => ({
    answer: await wire.call(
      'ask',
      {},
      {
        requestState: states[0] ?? 'none',
        inputResponses: { ok: { action: 'accept', content: {} } },
      },
    ),
    isForeign: true,
  }),
];

test('no tenant ever reads what belongs to another', async () => {
  const { server, tenants } = await serve();
  let [crossings, answers, refusals] = [0, 0, 0];
  const one = async () => {
    const self = upTo(TENANTS);
    const tenant = tenants[self]!;
    const other = tenants[(self + 1 + upTo(TENANTS - 1)) % TENANTS]!;
    const { answer, isForeign = false } = await kinds[upTo(kinds.length)]!(tenant, other);
    const text = JSON.stringify(answer);
    const found = text.match(/secret-of-t\d+\.|Of t\d+\./g) ?? [];
    const isOwn = (word: string) => word === canary(tenant.name) || word === `Of ${tenant.name}.`;
    if (isForeign ? answer.error === undefined : !found.every(isOwn)) crossings++;
    if (answer.error) refusals++;
    else answers++;
  };
  for (let made = 0; made < CALLS; made += AT_A_TIME)
    await Promise.all(Array.from({ length: AT_A_TIME }, one));
  count('calls', answers + refusals);
  count('cross reads', crossings);
  expect(crossings).toBe(0);
  // It is not the case that everything was refused.
  expect(answers).toBeGreaterThan(CALLS / 2);
  expect(refusals).toBeGreaterThan(CALLS / 10);
  await server.close(0);
});
