import {
  Concurrency,
  createMcpServer,
  definePolicy,
  type McpServer,
  type Middleware,
  UseMiddleware,
} from '@toolwright/core';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire, type WireAnswer } from '../wire/stateless-wire.js';

let server: McpServer;
let clock: FakeClock;
let logger: RecordingLogger;
let sink: RecordingSink;
let runs: number;
let finish: (value: string) => void;

beforeEach(async () => {
  clock = new FakeClock();
  logger = new RecordingLogger();
  sink = new RecordingSink();
  runs = 0;
  server = await createMcpServer({
    name: 'once',
    version: '1',
    services: [],
    ports: { clock },
    logger,
    audit: sink,
    timeout: '5s',
  });
});

afterEach(() => server.close(0));

const ways: [string, (middleware: Middleware) => object][] = [
  ['server.use', (middleware) => (server.use(middleware), {})],
  ['@UseMiddleware', (middleware) => ({ policies: [UseMiddleware.entry(middleware)] })],
  [
    'an own policy',
    (middleware) => ({
      policies: [definePolicy('own', { plan: () => middleware }).entry(undefined as never)],
    }),
  ],
];

function addTool(options: object, handler: () => unknown = () => `run ${++runs}`): void {
  server.tools.add({ name: 'work', ...options, handler });
}

const call = () => new StatelessWire(server).call('work');
const text = ({ result }: WireAnswer): string => result.content[0].text as string;
const failure = { code: 'TW_NEXT_MISUSED' };

describe.each(ways)('middleware of %s', (_, attach) => {
  test.each<[string, Middleware]>([
    ['synchronously', (_call, next) => (void next(), next())],
    [
      'after awaiting it',
      async (_call, next) => {
        await next();
        return next();
      },
    ],
    ['at the same time', async (_call, next) => (await Promise.all([next(), next()]))[0]],
  ])(
    'that calls next() twice, %s, is an error, and the tool runs once with one record',
    async (_how, middleware) => {
      addTool(attach(middleware), async () => `run ${++runs}`);
      const { result } = await call();
      expect(result).toMatchObject({
        isError: true,
        content: [
          { text: expect.stringMatching(/^(Internal error|The tool ran; its result could not be sent)/) },
        ],
      });
      expect(runs).toBe(1);
      expect(sink.events).toEqual(['outcome error']);
      expect(logger.lines.find(({ level }) => level === 'error')!.fields['err']).toMatchObject(failure);
    },
  );

  test('that calls next() after it has answered runs nothing', async () => {
    let late!: () => unknown;
    const middleware: Middleware = (_call, next) => {
      late = next;
      return { content: [{ type: 'text', text: 'refused' }] };
    };
    addTool(attach(middleware));
    expect(text(await call())).toBe('refused');
    expect(late).toThrow(expect.objectContaining(failure));
    expect(runs).toBe(0);
  });

  test('that calls next() after the deadline runs nothing', async () => {
    let goOn!: () => void;
    const middleware: Middleware = async (_call, next) => {
      await new Promise<void>((resolve) => (goOn = resolve));
      return next();
    };
    addTool(attach(middleware));
    const answer = call();
    await clock.advance(5_000);
    expect(text(await answer)).toContain('did not finish');
    goOn();
    await clock.advance(0);
    expect(runs).toBe(0);
  });

  test('that does not await next() answers by itself, and the slot is taken until the tool has ended', async () => {
    const middleware: Middleware = (_call, next) => {
      void next();
      return { content: [{ type: 'text', text: 'accepted' }] };
    };
    const { policies = [] } = attach(middleware) as { policies?: [] };
    addTool({ policies: [...policies, Concurrency.entry({ max: 1 })] }, () => {
      runs++;
      return new Promise((resolve) => (finish = resolve));
    });
    expect(text(await call())).toBe('accepted');
    expect(server.runningWork()).toMatchObject([{ name: 'work', running: 1, abandoned: 1 }]);
    const second = call();
    await clock.advance(0);
    expect(runs).toBe(1);
    finish('done');
    expect(text(await second)).toBe('accepted');
    expect(runs).toBe(2);
    finish('done');
    await clock.advance(0);
    expect(server.runningWork()).toEqual([]);
  });

  test('that does not await a next() that fails does not end the process, and the error is logged', async () => {
    const middleware: Middleware = (_call, next) => {
      void next();
      return { content: [{ type: 'text', text: 'accepted' }] };
    };
    addTool(attach(middleware), () => Promise.reject(new Error('lost')));
    expect(text(await call())).toBe('accepted');
    await clock.advance(0);
    expect(logger.lines.at(-1)).toMatchObject({ level: 'error', fields: { err: new Error('lost') } });
  });
});
