import { Confirm, type McpServer, type ServerOptions, type ToolContext } from '@toolwright/core';
import { MemoryClaimStore, type ClaimStore } from '@toolwright/core/ports';
import { boot } from '../support/booting.js';
import { FakeClock, settled } from '../support/fake-clock.js';
import { Gates } from '../support/gates.js';
import { StatelessWire, type WireAnswer } from '../wire/stateless-wire.js';

const clients = { elicitation: {}, sampling: {}, roots: {} };
const yes = { action: 'accept', content: { confirm: true } };
const sampled = { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' };
const isRefused = { error: { code: -32602, data: { reason: 'invalid_request_state' } } };
const isAsked = { result: { resultType: 'input_required' } };

let server: McpServer;
let runs: string[];

async function serve(options: Partial<ServerOptions> = {}): Promise<void> {
  runs = [];
  const own = { rateLimit: false, concurrency: false, sessions: false, secrets: ['s'.repeat(32)] } as const;
  server = await boot({ ...own, ...options });
}
beforeEach(() => serve());
afterEach(() => server.close(0));

const wire = (subject = 'ada', capabilities: object = clients) => {
  const principal = { subject, scopes: [] };
  return new StatelessWire(server, { principal, ip: undefined, transport: 'memory' }, capabilities);
};

const questions = {
  elicit: {
    answers: { k: yes },
    ask: (ctx: ToolContext) => ctx.elicit('k', { message: 'Sure?', schema: { type: 'object' } }),
  },
  sample: {
    answers: { k: sampled },
    ask: (ctx: ToolContext) => ctx.sample('k', { messages: [], maxTokens: 1 }),
  },
  roots: { answers: { k: { roots: [] } }, ask: (ctx: ToolContext) => ctx.roots('k') },
};
type Question = keyof typeof questions;

/** One operation of a kind that asks and then runs, and how to call it. */
function add(kind: string, question: Question, annotations = {}): { method: string; params: object } {
  const handler = async (_args: object, ctx: ToolContext) => {
    await questions[question].ask(ctx);
    runs.push(kind);
    return 'ran';
  };
  const named = { name: 'x', description: 'Asks.', handler };
  if (kind === 'tool') server.tools.add({ ...named, annotations });
  if (kind === 'prompt') server.prompts.add(named);
  if (kind === 'resource') server.resources.add({ ...named, uri: 'test://x' });
  if (kind === 'template') server.resourceTemplates.add({ ...named, uriTemplate: 'test://{x}' });
  const methods: Record<string, string> = { tool: 'tools/call', prompt: 'prompts/get' };
  return { method: methods[kind] ?? 'resources/read', params: { name: 'x', uri: 'test://x' } };
}

const kinds = ['tool', 'prompt', 'resource', 'template'];
const asked = kinds.flatMap((kind) =>
  (Object.keys(questions) as Question[]).map((each) => [kind, each] as const),
);

describe('an answer counts only for a question of this server', () => {
  test.each(asked)('a %s ignores an answer to %s that came without a state', async (kind, question) => {
    const { method, params } = add(kind, question);
    const inputResponses = questions[question].answers;
    expect(await wire().request(method, { ...params, inputResponses })).toMatchObject(isAsked);
    expect(runs).toEqual([]);
  });

  test.each([{}, { readOnlyHint: true }, { idempotentHint: true }, { destructiveHint: false }])(
    'whatever its annotations are: %j',
    async (annotations) => {
      const { method, params } = add('tool', 'elicit', annotations);
      const inputResponses = { k: yes };
      expect(await wire().request(method, { ...params, inputResponses })).toMatchObject(isAsked);
      expect(runs).toEqual([]);
    },
  );

  test('a tool with @Confirm and no annotations is not confirmed by an answer without a question', async () => {
    server.tools.add({
      name: 'wipe',
      description: 'Wipes.',
      policies: [Confirm.entry('Wipe?')],
      handler: () => runs.push('wipe'),
    });
    const inputResponses = { 'toolwright.confirm': yes };
    const params = { name: 'wipe', arguments: {}, inputResponses };
    expect(await wire().request('tools/call', params)).toMatchObject(isAsked);
    expect(runs).toEqual([]);
  });

  test('an answer to a key that was not asked is ignored, even if the method asks for this key now', async () => {
    let key = 'first';
    server.tools.add({
      name: 'x',
      description: 'Asks.',
      handler: async (_args, ctx) => {
        await ctx.elicit(key, { message: 'Sure?', schema: { type: 'object' } });
        runs.push(key);
      },
    });
    const { requestState } = (await wire().call('x')).result;
    key = 'second';
    const params = { name: 'x', requestState, inputResponses: { first: yes, second: yes } };
    expect(await wire().request('tools/call', params)).toMatchObject(isAsked);
    expect(runs).toEqual([]);
  });

  test('a state of another server with the same secrets is refused', async () => {
    const secrets = ['s'.repeat(32)];
    await server.close(0);
    await serve({ name: 'one', secrets });
    add('tool', 'elicit');
    const state = (await wire().call('x')).result.requestState as string;
    await server.close(0);
    await serve({ name: 'other', secrets });
    add('tool', 'elicit');
    const params = { name: 'x', requestState: state, inputResponses: { k: yes } };
    expect(await wire().request('tools/call', params)).toMatchObject(isRefused);
    expect(runs).toEqual([]);
  });
});

describe('an answer counts once', () => {
  const play = (state: string, times: number, subject?: string): Promise<WireAnswer[]> => {
    const params = { name: 'x', uri: 'test://x', requestState: state, inputResponses: { k: yes } };
    return Promise.all(Array.from({ length: times }, () => wire(subject).request(method, params)));
  };
  let method: string;
  const begin = async (kind: string, annotations = {}): Promise<string> => {
    const { params, ...added } = add(kind, 'elicit', annotations);
    method = added.method;
    return (await wire().request(method, { ...params })).result.requestState as string;
  };

  test.each([{}, { readOnlyHint: true }, { idempotentHint: true }, { destructiveHint: true }])(
    'one state of a tool with %j runs it once, even if many requests bring it at the same time',
    async (annotations) => {
      const answers = await play(await begin('tool', annotations), 20);
      expect(runs).toEqual(['tool']);
      expect(answers.filter(({ error }) => error)).toHaveLength(19);
      expect(answers.find(({ error }) => error)).toMatchObject(isRefused);
    },
  );

  test.each(['prompt', 'resource', 'template'])('so does one state of a %s', async (kind) => {
    await play(await begin(kind), 5);
    expect(runs).toEqual([kind]);
  });

  test('the round of another caller does not use up a state', async () => {
    const state = await begin('tool');
    expect((await play(state, 1, 'eve'))[0]).toMatchObject(isRefused);
    expect((await play(state, 1))[0]).toMatchObject({ result: { resultType: 'complete' } });
  });

  test('a round that fails has used its state', async () => {
    server.tools.add({
      name: 'x',
      description: 'Asks.',
      annotations: { idempotentHint: true },
      handler: async (_args, ctx) => {
        await questions.elicit.ask(ctx);
        runs.push('x');
        throw new Error('broken');
      },
    });
    method = 'tools/call';
    const { requestState } = (await wire().call('x')).result;
    expect((await play(requestState, 1))[0]!.result.isError).toBe(true);
    expect((await play(requestState, 1))[0]).toMatchObject(isRefused);
    expect(runs).toEqual(['x']);
  });

  test('with several questions, an answered one cannot be replayed to answer it twice', async () => {
    server.tools.add({
      name: 'x',
      description: 'Asks twice.',
      handler: async (_args, ctx) => {
        await questions.elicit.ask(ctx);
        await ctx.elicit('last', { message: 'Really?', schema: { type: 'object' } });
        runs.push('x');
      },
    });
    method = 'tools/call';
    const { requestState } = (await wire().call('x')).result;
    const [first, second] = [(await play(requestState, 1))[0]!, (await play(requestState, 1))[0]!];
    expect(first).toMatchObject(isAsked);
    expect(second).toMatchObject(isRefused);
  });
});

test('a used state does not run again at a process whose clock is behind', async () => {
  const store = new FakeClock();
  const [ahead, behind] = [new FakeClock(), new FakeClock()];
  const shared = {
    ...{ secrets: ['s'.repeat(32)], requestState: { lifetime: 10_000 } },
    stores: { claims: new MemoryClaimStore(store) },
  };
  await server.close(0);
  await serve({ ports: { clock: behind }, ...shared });
  const { method, params } = add('tool', 'elicit');
  const { requestState: state } = (await wire().request(method, { ...params })).result;
  const answered = { ...params, requestState: state, inputResponses: { k: yes } };
  const other = await boot({ rateLimit: false, concurrency: false, ports: { clock: ahead }, ...shared });
  other.tools.add({
    name: 'x',
    description: 'Asks.',
    handler: async (_args, ctx) => (await questions.elicit.ask(ctx), runs.push('tool'), 'ran'),
  });
  const principal = { subject: 'ada', scopes: [] };
  const there = new StatelessWire(other, { principal, ip: undefined, transport: 'memory' }, clients);
  // The process that uses the state up is 5 s ahead, and the state has 1 s left for it.
  await ahead.advance(9_000);
  expect((await there.request(method, answered)).result).toMatchObject({ resultType: 'complete' });
  await store.advance(4_000);
  await behind.advance(8_000);
  expect(await wire().request(method, answered)).toMatchObject(isRefused);
  expect(runs).toEqual(['tool']);
  await other.close(0);
});

test('a caller that uses up very many states takes no room from another', async () => {
  await server.close(0);
  await serve({ stores: { claims: new MemoryClaimStore(new FakeClock(), 20) } });
  const { method, params } = add('tool', 'elicit');
  const play = async (subject: string) => {
    const { requestState } = (await wire(subject).request(method, { ...params })).result;
    const answered = { ...params, requestState, inputResponses: { k: yes } };
    return (await wire(subject).request(method, answered)).error === undefined;
  };
  const eve: boolean[] = [];
  for (let count = 0; count < 30; count++) eve.push(await play('eve'));
  expect(eve.filter(Boolean)).toHaveLength(2);
  expect(await play('ada')).toBe(true);
});

describe('while it is unknown whether a state was used', () => {
  const down = () => Promise.reject(new Error('ECONNREFUSED'));
  const hangs = () => new Promise<boolean>(() => undefined);

  test('because the claim store is down, nothing runs', async () => {
    await server.close(0);
    await serve({ stores: { claims: { claim: down, release: down } satisfies ClaimStore } });
    add('tool', 'elicit', { readOnlyHint: true });
    const { requestState } = (await wire().call('x')).result;
    const params = { name: 'x', requestState, inputResponses: { k: yes } };
    const { error } = await wire().request('tools/call', params);
    expect(error).toMatchObject({ code: -32603, data: { reason: 'request_state_unverifiable' } });
    expect(runs).toEqual([]);
  });

  test('because the claim store hangs, nothing runs either', async () => {
    await server.close(0);
    const clock = new FakeClock();
    await serve({ ports: { clock }, stores: { claims: { claim: hangs, release: hangs } } });
    add('tool', 'elicit');
    const { requestState } = (await wire().call('x')).result;
    const params = { name: 'x', requestState, inputResponses: { k: yes } };
    const answer = wire().request('tools/call', params);
    await settled();
    await clock.advance(1_000);
    expect((await answer).error).toMatchObject({ data: { reason: 'request_state_unverifiable' } });
    expect(runs).toEqual([]);
  });
});

describe('the argument that replaces an answer', () => {
  const mute = (subject?: string) => wire(subject, {});
  const addWipe = () =>
    server.tools.add({
      name: 'wipe',
      description: 'Wipes.',
      inputSchema: { type: 'object', properties: { page: { type: 'string' } } },
      policies: [Confirm.entry('Wipe?', { fallback: 'argument' })],
      handler: ({ page }) => `wiped ${runs.push(String(page))}`,
    });
  beforeEach(() => void addWipe());
  const wipe = async (args: object, subject?: string): Promise<string> =>
    (await mute(subject).call('wipe', { ...args })).result.content[0].text;

  test('counts after the server has told the model to ask', async () => {
    expect(await wipe({ page: 'a' })).toContain('confirmation_required');
    expect(runs).toEqual([]);
    expect(await wipe({ page: 'a', confirmed: true })).toBe('wiped 1');
  });

  test('never opens a question itself', async () => {
    for (let count = 0; count < 3; count++)
      expect(await wipe({ page: 'a', confirmed: true })).toContain(
        'No question about this very call is open',
      );
    expect(runs).toEqual([]);
  });

  test('that is false asks, because some models fill in every argument', async () => {
    expect(await wipe({ page: 'a', confirmed: false })).toContain('Ask the user: Wipe?');
    expect(await wipe({ page: 'a', confirmed: true })).toBe('wiped 1');
  });

  test('counts only if it arrives after the answer with the question has left', async () => {
    await Promise.all([wipe({ page: 'a' }), wipe({ page: 'a', confirmed: true })]);
    expect(runs).toEqual([]);
    expect(await wipe({ page: 'a', confirmed: true })).toBe('wiped 1');
  });

  test('does not count because it waits for a slot while the question is asked', async () => {
    await server.close(0);
    const gates = new Gates();
    await serve({ concurrency: { perPrincipal: 1 } });
    addWipe();
    server.tools.add({
      name: 'hold',
      description: 'Holds the slot.',
      handler: (_args, { signal }) => gates.wait('a', signal),
    });
    const held = mute().call('hold');
    await gates.reached('a');
    const asked = wipe({ page: 'a' });
    const early = wipe({ page: 'a', confirmed: true });
    gates.open('a');
    await held;
    expect(await asked).toContain('Ask the user');
    expect(await early).toContain('No question');
    expect(runs).toEqual([]);
  });

  test('is given back by a call that is refused before it ran', async () => {
    await server.close(0);
    const clock = new FakeClock();
    await serve({ rateLimit: { points: 2, per: '1m' }, ports: { clock } });
    addWipe();
    await wipe({ page: 'a' });
    await wipe({ page: 'b' });
    expect(await wipe({ page: 'a', confirmed: true })).toContain('Rate limited');
    await clock.advance(60_000);
    expect(await wipe({ page: 'a', confirmed: true })).toBe('wiped 1');
    expect(runs).toEqual(['a']);
  });

  test('counts at the server that asked, and not at another one with the same store', async () => {
    const claims = new MemoryClaimStore(new FakeClock());
    await server.close(0);
    await serve({ name: 'staging', stores: { claims } });
    addWipe();
    expect(await wipe({ page: 'a' })).toContain('Ask the user');
    await server.close(0);
    await serve({ name: 'production', stores: { claims } });
    addWipe();
    expect(await wipe({ page: 'a', confirmed: true })).toContain('No question');
    expect(runs).toEqual([]);
  });

  test('is refused while the claim store is away, and the text says so', async () => {
    await server.close(0);
    const down = () => Promise.reject(new Error('ECONNREFUSED'));
    await serve({ stores: { claims: { claim: down, release: down } } });
    addWipe();
    expect(await wipe({ page: 'a', confirmed: true })).toContain('cannot look up right now');
    expect(runs).toEqual([]);
  });

  test('counts for the arguments and the caller of the question', async () => {
    await wipe({ page: 'a' });
    expect(await wipe({ page: 'b', confirmed: true })).toContain('confirmation_required');
    expect(await wipe({ page: 'a', confirmed: true }, 'eve')).toContain('confirmation_required');
    expect(runs).toEqual([]);
    expect(await wipe({ confirmed: true, page: 'a' })).toBe('wiped 1');
  });

  test('counts once, even if many calls bring it at the same time', async () => {
    await wipe({ page: 'a' });
    await Promise.all(Array.from({ length: 10 }, () => wipe({ page: 'a', confirmed: true })));
    expect(runs).toEqual(['a']);
  });
});
