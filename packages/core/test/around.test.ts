import { AsyncLocalStorage } from 'node:async_hooks';
import {
  Confirm,
  Injectable,
  type McpServer,
  McpService,
  McpTool,
  RateLimit,
  type ServerOptions,
  ToolContext,
} from '@toolwright/core';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot } from './support/booting.js';
import { FakeClock } from './support/fake-clock.js';
import { Probed, probes } from './support/made-up-probes.js';
import { queueFleet, stopQueueFleet } from './support/queue-fleet.js';
import { RecordingLogger } from './support/recording-logger.js';
import { StatelessWire } from './wire/stateless-wire.js';

type Around = NonNullable<ServerOptions['around']>;

const storage = new AsyncLocalStorage<{ readonly id: number; isOpen: boolean }>();
/** What ran, with the number of the `around` in which it did. */
let seen: string[];
let count: number;
let logger: RecordingLogger;
let server: McpServer | undefined;

/** Writes down that something runs, and whether the `around` of its call is open. */
const note = (what: string) => {
  const store = storage.getStore();
  seen.push(`${what} ${store ? `in ${store.id}${store.isOpen ? '' : ', which is over'}` : 'outside'}`);
};

const around: Around = async (_principal, run) => {
  const store = { id: ++count, isOpen: true };
  await storage.run(store, run);
  store.isOpen = false;
};

beforeEach(() => {
  [seen, count, logger] = [[], 0, new RecordingLogger()];
});
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

async function start(options: Partial<ServerOptions> = {}): Promise<McpServer> {
  server = await boot({ services: [], around, logger, ...options });
  return server;
}

const textOf = ({ result }: { result?: any }) => result.content[0].text as string;
const wire = (subject = 'ann') => StatelessWire.of(server!, subject, { elicitation: {} });

describe('everything of the application that runs for a call is inside', () => {
  test('the words of a confirmation, middleware, the method and its clean-ups, once for each round', async () => {
    await start({
      authorize: () => (note('authorize'), true),
      middleware: [(_call, next) => (note('middleware'), next())],
    });
    server!.tools.add({
      name: 'erase',
      description: 'Erase.',
      annotations: { destructiveHint: true },
      policies: [Confirm.entry(() => (note('words'), 'Sure?'))],
      handler: async (_args, ctx) => {
        ctx.onCleanup(() => note('clean-up'));
        note('method');
        await Promise.resolve();
        note('method again');
        return 'erased';
      },
    });
    const { requestState } = (await wire().call('erase')).result;
    expect(seen.filter((line) => !line.startsWith('authorize'))).toEqual(['words in 1']);
    const inputResponses = { 'toolwright.confirm': { action: 'accept', content: { confirm: true } } };
    expect(textOf(await wire().call('erase', {}, { requestState, inputResponses }))).toBe('erased');
    expect(seen.filter((line) => !line.startsWith('authorize')).slice(1)).toEqual(
      ['words', 'middleware', 'method', 'method again', 'clean-up'].map((what) => `${what} in 2`),
    );
    expect(
      seen.filter((line) => line.startsWith('authorize')).every((line) => line.endsWith('outside')),
    ).toBe(true);
  });

  test.each<[string, Partial<ServerOptions>, Parameters<typeof RateLimit.entry>[0] | undefined]>([
    ['a key', {}, { points: 5, per: '1m', key: () => (note('limit'), 'all') }],
    ['points', {}, { points: () => (note('limit'), 5), per: '1m' }],
    ['points of the server', { rateLimit: { points: () => (note('limit'), 5) } }, undefined],
  ])('%s of a limit, once for the call', async (_what, options, limit) => {
    await start(options);
    server!.tools.add({
      name: 'find',
      description: 'Find.',
      ...(limit && { policies: [RateLimit.entry(limit)] }),
      handler: () => (note('method'), 'found'),
    });
    expect(textOf(await wire().call('find'))).toBe('found');
    expect(seen).toEqual(['limit in 1', 'method in 1']);
  });

  test('the items of a stream, resources, prompts and completions', async () => {
    await start({ rateLimit: { points: () => (note('points'), 100) } });
    server!.tools.add({
      name: 'rows',
      description: 'Rows.',
      async *handler() {
        note('first');
        yield 1;
        await Promise.resolve();
        note('second');
        yield 2;
      },
    } as never);
    server!.resources.add({ name: 'now', uri: 'time://now', handler: () => (note('resource'), 'noon') });
    server!.prompts.add({
      name: 'hello',
      arguments: [{ name: 'who' }],
      complete: { who: () => (note('completion'), ['Ann']) },
      handler: () => (note('prompt'), 'Hello'),
    });
    await wire().call('rows');
    await wire().request('resources/read', { uri: 'time://now' });
    await wire().request('prompts/get', { name: 'hello' });
    const ref = { type: 'ref/prompt', name: 'hello' };
    const { result } = await wire().request('completion/complete', {
      ref,
      argument: { name: 'who', value: '' },
    });
    expect(result.completion.values).toEqual(['Ann']);
    expect(seen.filter((line) => !line.startsWith('points'))).toEqual([
      ...['first in 1', 'second in 1', 'resource in 2', 'prompt in 3', 'completion in 4'],
    ]);
    expect(seen.filter((line) => line.startsWith('points'))).toEqual(
      [1, 2, 3, 4].map((id) => `points in ${id}`),
    );
  });

  test('constructors of services with request scope, and what disposes them', async () => {
    @Injectable({ scope: 'request' })
    class Transaction {
      constructor(readonly context: ToolContext) {
        note('constructor');
      }
      onDispose() {
        note('dispose');
      }
    }
    @McpService({ scope: 'request' })
    class Tools {
      constructor(readonly transaction: Transaction) {
        note('service');
      }
      @McpTool()
      say(): string {
        return this.transaction.context.principal!.subject;
      }
    }
    const manifest = handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: { say: [] } });
    await start({ services: [Tools], manifest });
    expect(textOf(await wire('bob').call('say'))).toBe('bob');
    expect(seen).toEqual(['constructor in 1', 'service in 1', 'dispose in 1']);
  });

  test('the run of a scheduled method, which has no caller', async () => {
    class Doors {
      @Probed('door', { name: 'door' }) probe() {
        note('probe');
      }
    }
    const callers: unknown[] = [];
    await start({
      services: [Doors],
      around: (principal, run, call) => (
        callers.push([principal, call.tenant]),
        around(principal, run, call)
      ),
    });
    for (const probe of probes) await probe.run(Date.UTC(2027, 0, 2)).over;
    expect([seen, callers]).toEqual([['probe in 1'], [[undefined, undefined]]]);
  });

  test('the run of a queued task, with the claims that it keeps', async () => {
    const fleet = queueFleet();
    const callers: unknown[] = [];
    await fleet.serve([{ name: 'quick', handler: () => (note('task'), 'done') }], {
      around: (principal, run, call) => (callers.push(principal?.subject), around(principal, run, call)),
    });
    expect(await fleet.textOf(await fleet.begin('quick'))).toBe('done');
    // The call that begins the task, and its run.
    expect([seen, callers.at(-1)]).toEqual([['task in 2'], callers[0]]);
    await stopQueueFleet();
  });

  test('clean-ups of a call that has reached its deadline', async () => {
    const clock = new FakeClock();
    await start({ timeout: '5s', ports: { clock } });
    server!.tools.add({
      name: 'hang',
      description: 'Hang.',
      handler: (_args, ctx) => {
        ctx.onCleanup(() => note('clean-up'));
        return new Promise(() => undefined);
      },
    });
    const call = wire().call('hang');
    await clock.advance(5_000);
    expect(textOf(await call)).toContain('did not finish within 5 s');
    expect(seen).toEqual(['clean-up in 1']);
  });
});

describe('what `around` gets', () => {
  test('the caller, its tenant, the request, and the tool under one name with its version', async () => {
    const calls: unknown[] = [];
    await start({
      around: (principal, run, { request, operation, tenant }) => {
        calls.push([principal?.subject, tenant, request.revision, operation.name, operation.version]);
        return run();
      },
    });
    server!.tools.add({ name: 'find', version: '1', description: 'Find.', handler: () => 'one' });
    server!.tools.add({ name: 'find', version: '2', description: 'Find.', handler: () => 'two' });
    const principal = { subject: 'ann', tenant: 'acme', scopes: [] };
    const acme = new StatelessWire(server!, { principal, ip: undefined, transport: 'memory' });
    expect(textOf(await acme.call('find.v1'))).toBe('one');
    await new StatelessWire(server!).call('find');
    expect(calls).toEqual([
      ['ann', 'acme', '2026-07-28', 'find', '1'],
      [undefined, undefined, '2026-07-28', 'find', '2'],
    ]);
  });

  test('nothing of a call that is refused before code of the application runs', async () => {
    await start();
    server!.tools.add({ name: 'find', description: 'Find.', handler: () => 'found' });
    await wire().call('find', { unknown: 1 });
    await wire().call('nothing');
    await wire().request('tools/list');
    expect(count).toBe(0);
  });

  test('the error of the method, so that it can roll back; what it returns is ignored', async () => {
    const errors: unknown[] = [];
    await start({
      around: async (_principal, run) => {
        await run().catch((error: unknown) => errors.push((error as Error).message));
        return 'ignored';
      },
    });
    server!.tools.add({
      name: 'fail',
      description: 'Fail.',
      handler: () => Promise.reject(new Error('secret')),
    });
    server!.tools.add({ name: 'find', description: 'Find.', handler: () => 'found' });
    expect(textOf(await wire().call('fail'))).toMatch(/^Internal error \(ref /);
    expect(textOf(await wire().call('find'))).toBe('found');
    expect(errors).toEqual(['secret']);
  });

  test('the question of a round as a rejection, and the question is asked', async () => {
    const outcomes: string[] = [];
    await start({
      around: (_principal, run) =>
        run().then(
          () => outcomes.push('commit'),
          () => outcomes.push('rollback'),
        ),
    });
    server!.tools.add({
      name: 'ask',
      description: 'Ask.',
      handler: async (_args, ctx) =>
        (await ctx.elicit('really', { message: 'Really?', schema: { type: 'object', properties: {} } }))
          .action,
    });
    const { requestState } = (await wire().call('ask')).result;
    const second = await wire().call(
      'ask',
      {},
      { requestState, inputResponses: { really: { action: 'accept', content: {} } } },
    );
    expect([textOf(second), outcomes]).toEqual(['accept', ['rollback', 'commit']]);
  });
});
