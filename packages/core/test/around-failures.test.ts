import { type McpServer, type ServerOptions, ToolError } from '@toolwright/core';
import { boot } from './support/booting.js';
import { FakeClock } from './support/fake-clock.js';
import { RecordingLogger } from './support/recording-logger.js';
import { StatelessWire } from './wire/stateless-wire.js';

type Around = NonNullable<ServerOptions['around']>;

/** What ran. */
let seen: string[];
let logger: RecordingLogger;
let server: McpServer | undefined;

beforeEach(() => {
  [seen, logger] = [[], new RecordingLogger()];
});
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

async function start(options: Partial<ServerOptions>): Promise<void> {
  server = await boot({ services: [], logger, ...options });
}

const textOf = ({ result }: { result?: any }) => result.content[0].text as string;
const wire = (subject = 'ann') => StatelessWire.of(server!, subject);

describe('a failure of `around`', () => {
  const add = (handler: () => unknown = () => (seen.push('method'), 'done')) =>
    server!.tools.add({
      name: 'pay',
      description: 'Pay.',
      annotations: { destructiveHint: true },
      handler,
    } as never);

  test.each<[string, Around]>([
    [
      'throws',
      () => {
        throw new Error('no connection');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no connection'))],
  ])(
    'that %s before the call is answered with the generic text, and the method does not run',
    async (_how, fails) => {
      await start({ around: fails });
      add();
      expect(textOf(await wire().call('pay'))).toMatch(/^Internal error \(ref /);
      expect(seen).toEqual([]);
    },
  );

  test('that is a ToolError is shown', async () => {
    await start({
      around: () => {
        throw new ToolError('This customer is suspended.');
      },
    });
    add();
    expect(textOf(await wire().call('pay'))).toBe('This customer is suspended.');
    expect(seen).toEqual([]);
  });

  test('after the call, such as one of a commit, does not say that the call has taken effect', async () => {
    await start({
      around: async (_principal, run) => {
        await run();
        throw new Error('the commit failed');
      },
    });
    add();
    expect(textOf(await wire().call('pay'))).toMatch(/^Internal error \(ref /);
    expect(seen).toEqual(['method']);
  });

  test.each<[string, Around, string[]]>([
    ['never', () => undefined, []],
    ['never, and waits', async () => Promise.resolve(), []],
    [
      'twice',
      async (_p, run) => {
        await run();
        await run();
      },
      ['method'],
    ],
    [
      'twice, and hides it',
      async (_p, run) => {
        await run();
        await run().catch(() => undefined);
      },
      ['method'],
    ],
    ['twice, and waits for neither', (_p, run) => void [run(), run()], ['method']],
  ])(
    'that calls run() %s is a failed call with the generic text, and the method runs once at most',
    async (_how, misused, ran) => {
      await start({ around: misused });
      add();
      expect(textOf(await wire().call('pay'))).toMatch(/^Internal error \(ref /);
      expect(seen).toEqual(ran);
      expect(logger.lines).toContainEqual(
        expect.objectContaining({
          fields: expect.objectContaining({ err: expect.objectContaining({ code: 'TW_AROUND_MISUSED' }) }),
        }),
      );
    },
  );

  test('that calls run() when it has ended runs nothing', async () => {
    let late!: () => Promise<void>;
    await start({ around: (_principal, run) => void (late = run) });
    add();
    await wire().call('pay');
    await expect(late()).rejects.toMatchObject({ code: 'TW_AROUND_MISUSED' });
    expect(seen).toEqual([]);
  });

  test('that hangs ends at the deadline of the call, and gives its slots back', async () => {
    const clock = new FakeClock();
    await start({
      around: () => new Promise(() => undefined),
      timeout: '5s',
      ports: { clock },
      concurrency: { perPrincipal: 1 },
    });
    add();
    for (let time = 0; time < 2; time++) {
      const call = wire().call('pay');
      await clock.advance(5_000);
      expect(textOf(await call)).toContain('did not finish within 5 s');
    }
  });

  test('that hangs where it begins before the limits ends at the deadline, too', async () => {
    const clock = new FakeClock();
    await start({
      around: () => new Promise(() => undefined),
      timeout: '5s',
      ports: { clock },
      rateLimit: { points: () => 10 },
    });
    add();
    const call = wire().call('pay');
    await clock.advance(5_000);
    expect(textOf(await call)).toContain('did not finish within 5 s');
  });
});

test('a call ends when both `around` and the method are over', async () => {
  let finish!: (text: string) => void;
  await start({ around: (_principal, run) => void run() });
  server!.tools.add({
    name: 'slow',
    description: 'Slow.',
    handler: () => new Promise((resolve) => (finish = resolve)),
  });
  const call = wire().call('slow');
  await new Promise(setImmediate);
  finish('finished');
  expect(textOf(await call)).toBe('finished');
});
