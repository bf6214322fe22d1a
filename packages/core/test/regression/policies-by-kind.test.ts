import {
  Audit,
  Cache,
  Concurrency,
  Confirm,
  definePolicy,
  HiddenText,
  MaxOutput,
  McpPrompt,
  McpResource,
  McpService,
  McpTool,
  RateLimit,
  RequireScopes,
  Timeout,
  UseMiddleware,
  type BoundOperation,
  type McpServer,
  type Middleware,
} from '@toolwright/core';
import type { PolicyEntry } from '@toolwright/core/operate';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { boot, problemsOf } from '../support/booting.js';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire, type WireAnswer } from '../wire/stateless-wire.js';

type Kind = BoundOperation['kind'];
type Entry = [string, PolicyEntry];

let server: McpServer;
let clock: FakeClock;
let sink: RecordingSink;
let runs: number;
let answer: () => unknown;

const peer = { principal: { subject: 'ann', scopes: [] }, ip: undefined, transport: 'memory' as const };
const wire = (capabilities: object = {}) => new StatelessWire(server, peer, capabilities);

/** Adds an operation of each kind, and calls it as clients do. */
const kinds: Record<Kind, { add(policies: Entry[]): void; ask(capabilities?: object): Promise<WireAnswer> }> =
  {
    tool: {
      add: (policies) =>
        void server.tools.add({ name: 'it', annotations: { openWorldHint: false }, policies, handler: run }),
      ask: (capabilities) => wire(capabilities).call('it'),
    },
    prompt: {
      add: (policies) => void server.prompts.add({ name: 'it', policies, handler: run }),
      ask: (capabilities) => wire(capabilities).request('prompts/get', { name: 'it' }),
    },
    resource: {
      add: (policies) => void server.resources.add({ name: 'it', uri: 'it://one', policies, handler: run }),
      ask: (capabilities) => wire(capabilities).request('resources/read', { uri: 'it://one' }),
    },
    resourceTemplate: {
      add: (policies) =>
        void server.resourceTemplates.add({
          name: 'it',
          uriTemplate: 'it://each/{id}',
          policies,
          handler: run,
        }),
      ask: (capabilities) => wire(capabilities).request('resources/read', { uri: 'it://each/7' }),
    },
  };

function run(): unknown {
  runs++;
  return answer();
}

/** Whether a call was carried out. Prompts and resources have no `isError`. */
const isRefused = ({ result, error }: WireAnswer): boolean => error !== undefined || result.isError === true;

beforeEach(async () => {
  clock = new FakeClock();
  sink = new RecordingSink();
  runs = 0;
  answer = () => 'done';
  server = await boot({ services: [], ports: { clock }, audit: sink });
});

afterEach(() => server.close(0));

describe.each(Object.keys(kinds) as Kind[])('on a %s', (kind) => {
  const { add, ask } = kinds[kind];

  test('@RateLimit limits', async () => {
    add([RateLimit.entry({ points: 1, per: '1m' })]);
    expect([isRefused(await ask()), isRefused(await ask())]).toEqual([false, true]);
  });

  test('@Concurrency makes other calls wait', async () => {
    const ends: ((value: string) => void)[] = [];
    answer = () => new Promise<string>((resolve) => ends.push(resolve));
    add([Concurrency.entry({ max: 1 })]);
    const calls = [ask(), ask()];
    await clock.advance(0);
    expect(runs).toBe(1);
    ends[0]!('first');
    await calls[0];
    await clock.advance(0);
    expect(runs).toBe(2);
    ends[1]!('second');
    await calls[1];
  });

  test('@Timeout ends a call that hangs', async () => {
    answer = () => new Promise(() => undefined);
    add([Timeout.entry('1s')]);
    const call = ask();
    await clock.advance(1_000);
    expect(isRefused(await call)).toBe(true);
  });

  test('@RequireScopes refuses callers', async () => {
    add([RequireScopes.entry('read')]);
    expect(isRefused(await ask())).toBe(true);
    expect(runs).toBe(0);
  });

  test('@Audit sets how calls are recorded', async () => {
    add([Audit.entry({ mode: 'strict' })]);
    await ask();
    expect(sink.records.map(({ event, mode }) => [event.event, mode])).toEqual([
      ['intent', 'strict'],
      ['outcome', 'strict'],
    ]);
  });

  test('@Confirm asks first, and refuses clients that cannot ask', async () => {
    add([Confirm.entry('Really?')]);
    expect(isRefused(await ask())).toBe(true);
    const { result } = await ask({ elicitation: {} });
    expect(result.resultType).toBe('input_required');
    expect(result.inputRequests['toolwright.confirm'].params.message).toBe('Really?');
    expect(runs).toBe(0);
  });

  test('@MaxOutput limits the answer', async () => {
    answer = () => ({ text: 'x'.repeat(10_000) });
    add([MaxOutput.entry({ bytes: 500 })]);
    const reply = await ask();
    expect(JSON.stringify(reply).length).toBeLessThan(1_500);
    if (kind !== 'tool') expect(reply.error).toMatchObject({ code: 413 });
  });

  test('@UseMiddleware runs around it', async () => {
    const seen: string[] = [];
    const middleware: Middleware = async (call, next) => {
      const result = await next();
      seen.push(`${call.operation.kind} ${result.isError ?? false}`);
      return result;
    };
    add([UseMiddleware.entry(middleware)]);
    expect(isRefused(await ask())).toBe(false);
    expect(seen).toEqual([`${kind} false`]);
  });

  test('the middleware of a custom policy runs around it', async () => {
    const seen: unknown[] = [];
    const Owner = definePolicy<string>('owner', {
      plan: (team) => (call, next) => (seen.push(team, call.operation.kind), next()),
    });
    add([Owner.entry('docs')]);
    await ask();
    expect(seen).toEqual(['docs', kind]);
  });

  test('server.use runs around it if its kinds and its condition match', async () => {
    const seen: string[] = [];
    const note =
      (name: string): Middleware =>
      (_call, next) => (seen.push(name), next());
    server.use(note('all'));
    server.use(note('this kind'), { appliesTo: [kind] });
    server.use(note('when'), { when: (operation) => operation.kind === kind });
    server.use(note('others'), { appliesTo: (Object.keys(kinds) as Kind[]).filter((each) => each !== kind) });
    server.use(note('never'), { when: () => false });
    add([]);
    await ask();
    expect(seen).toEqual(['all', 'this kind', 'when']);
  });

  test('middleware that is added later runs around it', async () => {
    add([]);
    const refusal: Middleware = () => {
      throw new Error('no');
    };
    server.use(refusal);
    expect(isRefused(await ask())).toBe(true);
    expect(runs).toBe(0);
  });

  test('middleware that answers with the result of another kind is an internal error', async () => {
    add([UseMiddleware.entry(() => ({ nothing: true }) as never)]);
    expect(isRefused(await ask())).toBe(true);
  });
});

describe('@Cache', () => {
  const cached = [Cache.entry({ ttl: '1m' })];

  test.each(['prompt', 'resource', 'resourceTemplate'] as const)(
    'returns the earlier result of a %s',
    async (kind) => {
      kinds[kind].add(cached);
      expect(await kinds[kind].ask()).toMatchObject({ result: expect.anything() });
      await kinds[kind].ask();
      expect(runs).toBe(1);
    },
  );

  test('distinguishes two URIs of one template', async () => {
    kinds.resourceTemplate.add(cached);
    for (const id of ['7', '8', '7']) await wire().request('resources/read', { uri: `it://each/${id}` });
    expect(runs).toBe(2);
  });

  test('is an error on the method of a tool that may change something', () => {
    expect(() => kinds.tool.add(cached)).toThrow('has @Cache but may change something');
  });
});

const operations = (policies: { [method: string]: MethodDecorator }, ofClass?: ClassDecorator) => {
  class Mixed {
    work() {
      return 'tool';
    }
    say() {
      return 'prompt';
    }
    read() {
      return 'resource';
    }
  }
  const decorate = (method: string, ...decorators: unknown[]) => {
    for (const decorator of decorators)
      (decorator as MethodDecorator)(
        Mixed.prototype,
        method,
        Object.getOwnPropertyDescriptor(Mixed.prototype, method)!,
      );
  };
  for (const [method, policy] of Object.entries(policies)) decorate(method, policy);
  decorate('work', McpTool({ description: 'Works.', annotations: { destructiveHint: false } }));
  decorate('say', McpPrompt());
  decorate('read', McpResource({ uri: 'it://all' }));
  ofClass?.(Mixed);
  McpService()(Mixed);
  const manifest = handMadeManifest({
    file: 'mixed.ts',
    name: 'Mixed',
    methods: { work: [], say: [], read: [] },
  });
  return { services: [Mixed], manifest };
};

describe('a policy that is not for an operation', () => {
  test('is a boot error on its method that names the method, the policy and the fix', async () => {
    const Priced = definePolicy<number>('priced', { appliesTo: ['tool'] });
    const problems = await problemsOf(
      operations({ say: Priced(3) as MethodDecorator, read: HiddenText('keep') as MethodDecorator }),
    );
    expect(problems).toMatchObject([
      {
        code: 'TW_POLICY_MISPLACED',
        message:
          'The policy "priced" is only for tools. It would do nothing on Mixed.say, which is not one of these.',
        fix: 'Remove its decorator there, or write it on a method that is one of these.',
        location: expect.stringContaining('policies-by-kind'),
      },
      {
        code: 'TW_POLICY_MISPLACED',
        message: expect.stringContaining(
          '"hiddenText" is only for tools and prompts. It would do nothing on Mixed.read',
        ),
      },
    ]);
  });

  test('on a class applies to the methods of its kinds', async () => {
    const seen: string[] = [];
    const Priced = definePolicy<number>('priced', {
      appliesTo: ['tool', 'resource'],
      plan: () => (call, next) => (seen.push(call.operation.kind), next()),
    });
    await server.close(0);
    server = await boot(operations({}, Priced(3) as ClassDecorator));
    await wire().call('work');
    await wire().request('prompts/get', { name: 'say' });
    await wire().request('resources/read', { uri: 'it://all' });
    expect(seen).toEqual(['tool', 'resource']);
  });

  test('is a boot error on a class without a method of its kinds', async () => {
    const Paged = definePolicy<number>('paged', { appliesTo: ['resourceTemplate'] });
    expect(await problemsOf(operations({}, Paged(3) as ClassDecorator))).toMatchObject([
      {
        code: 'TW_POLICY_MISPLACED',
        message:
          'The policy "paged" is only for resource templates. It would do nothing on the class Mixed, where no method is one of these.',
      },
    ]);
  });

  test('cannot be added while the server runs', () => {
    expect(() => kinds.resource.add([HiddenText.entry('keep')])).toThrow(
      'It would do nothing on the resource "it", which is not one of these.',
    );
  });

  test("with fallback: 'argument', @Confirm is a boot error on a prompt; on a class, it still asks for the prompts", async () => {
    const policy = Confirm('Sure?', { fallback: 'argument' });
    expect(await problemsOf(operations({ say: policy as MethodDecorator }))).toMatchObject([
      {
        code: 'TW_POLICY_INVALID',
        message: expect.stringContaining('The prompt "say" has @Confirm with fallback'),
      },
    ]);
    await server.close(0);
    server = await boot(operations({}, policy as ClassDecorator));
    const { error } = await wire().request('prompts/get', { name: 'say' });
    expect(error).toMatchObject({ code: 403 });
  });

  test.each([
    ['@Cache', {}, Cache({ ttl: '1m' })],
    ['@Confirm', { readOnlyHint: true }, Confirm('Sure?')],
  ])(
    '%s on a class is a boot error if it skips all its tools because of their annotations',
    async (name, annotations, policy) => {
      @McpService()
      @(policy as ClassDecorator)
      class Tools {
        @McpTool({ annotations })
        one(): void {}

        @McpTool({ annotations })
        two(): void {}
      }
      const manifest = handMadeManifest({ file: __filename, name: 'Tools', methods: { one: [], two: [] } });
      expect(await problemsOf({ services: [Tools], manifest })).toMatchObject([
        {
          code: 'TW_POLICY_MISPLACED',
          message: expect.stringContaining(`${name} on a class`),
          location: expect.stringContaining('policies-by-kind'),
        },
      ]);
    },
  );

  test('must not name unknown kinds', () => {
    expect(() => definePolicy('typo', { appliesTo: ['tools' as never] })).toThrow(
      'appliesTo: ["tools"] must be a list of some of',
    );
    expect(() => server.use((_call, next) => next(), { appliesTo: ['tools' as never] })).toThrow(
      '"appliesTo" must be a list of some of',
    );
  });
});
