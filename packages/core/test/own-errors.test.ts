import { Confirm, type McpServer, type ServerOptions, ToolError } from '@toolwright/core';
import { boot, problemsOf } from './support/booting.js';
import { RecordingLogger } from './support/recording-logger.js';
import { StatelessWire } from './wire/stateless-wire.js';

class OrderError extends Error {}
class NotFound extends OrderError {
  constructor(readonly entity: string) {
    super(`SELECT * FROM ${entity}`);
  }
}
class Archived extends NotFound {}
class OtherError extends Error {}
/** What some libraries throw is no Error. */
class Refusal {
  constructor(readonly message: string) {}
}

let server: McpServer | undefined;
let logger: RecordingLogger;
beforeEach(() => {
  logger = new RecordingLogger();
});
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

const errors: NonNullable<ServerOptions['errors']> = [
  [OrderError, 'show'],
  [NotFound, ({ entity }: NotFound) => `There is no such ${entity}.`],
  [Refusal, 'show'],
];

async function start(options: Partial<ServerOptions>): Promise<StatelessWire> {
  server = await boot({ services: [], logger, errors, ...options });
  return StatelessWire.of(server, 'ann');
}

async function textFor(error: unknown, options: Partial<ServerOptions> = {}): Promise<string> {
  const wire = await start(options);
  server!.tools.add({
    name: 'pay',
    description: 'Pay.',
    handler: () => {
      throw error;
    },
  });
  const { result } = (await wire.call('pay')) as { result?: any };
  expect(result.isError).toBe(true);
  return result.content[0].text as string;
}

const GENERIC = /^Internal error \(ref /;

describe('an error of the application', () => {
  test.each<[string, unknown, string | RegExp]>([
    ['of a class that is shown', new OrderError('The order is paid.'), 'The order is paid.'],
    ['of a class with a function', new NotFound('order'), 'There is no such order.'],
    ['of a class below it', new Archived('order'), 'There is no such order.'],
    ['that is no Error', new Refusal('Not on Sundays.'), 'Not on Sundays.'],
    ['of another class', new OtherError('postgres://root:secret@db'), GENERIC],
    ['of a built-in class', new TypeError('x is undefined'), GENERIC],
    ['that is a ToolError', new ToolError('Ask for less.'), 'Ask for less.'],
    ['that is a text', 'postgres://root:secret@db', GENERIC],
    ['without a message', new OrderError(''), GENERIC],
    ['with hidden characters', new OrderError('Paid\u{E0041}.'), 'Paid\\u{e0041}.'],
  ])('%s', async (_what, error, text) => {
    expect(await textFor(error)).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
  });

  test.each<[string, (error: Error) => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no words');
      },
    ],
    ['returns no text', () => 5],
    ['is async', async () => 'later'],
    [
      'is async and fails, which would end the process',
      async () => {
        throw new Error('no words');
      },
    ],
  ])('whose function %s is answered with the generic text, and logged', async (_what, words) => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    expect(await textFor(new OtherError('x'), { errors: [[OtherError, words as never]] })).toMatch(GENERIC);
    await new Promise(setImmediate);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    // Several guards read an error. Its function is asked once.
    expect(JSON.stringify(logger.lines).match(/A function of the option/g)).toHaveLength(1);
  });

  class Busy extends Error {
    constructor(readonly retryable: boolean) {
      super('The warehouse is busy.');
    }
  }
  const AGAIN = 'The warehouse is busy. It is safe to try again.';
  test.each<[string, Error, object, string]>([
    ['may succeed later, of a tool that reads', new Busy(true), { readOnlyHint: true }, AGAIN],
    [
      'may succeed later by its cause',
      new OrderError('Busy.', { cause: { code: '40001' } }),
      { idempotentHint: true },
      'Busy. It is safe to try again.',
    ],
    ['may succeed later, of a tool that may do it twice', new Busy(true), {}, 'The warehouse is busy.'],
    ['says that it will not', new Busy(false), { readOnlyHint: true }, 'The warehouse is busy.'],
    [
      'is a ToolError, which has all its words',
      Object.assign(new ToolError('Busy.'), { retryable: true }),
      { readOnlyHint: true },
      'Busy.',
    ],
  ])('keeps its advice to try again: one that %s', async (_what, error, annotations, text) => {
    const wire = await start({
      errors: [
        [Busy, 'show'],
        [OrderError, 'show'],
      ],
    });
    server!.tools.add({
      name: 'pay',
      description: 'Pay.',
      annotations,
      handler: () => Promise.reject(error),
    });
    expect((await wire.call('pay')).result.content[0].text).toBe(text);
  });

  test('may be any Error for a function, but for those of the framework', async () => {
    const all: ServerOptions['errors'] = [[Error, () => 'Something went wrong.']];
    expect(await textFor(new TypeError('x'), { errors: all })).toBe('Something went wrong.');
    await server!.close(0);
    expect(await textFor(new ToolError('Ask for less.'), { errors: all })).toBe('Ask for less.');
    await server!.close(0);
    expect(await textFor(new Error(), { errors: all, around: () => undefined })).toMatch(GENERIC);
  });
});

describe('reads alike, wherever it is thrown', () => {
  const fail = () => {
    throw new NotFound('order');
  };
  const words = 'There is no such order.';

  test('in the option around', async () => {
    expect(await textFor(new Error('x'), { around: fail })).toBe(words);
  });

  test('in middleware', async () => {
    expect(await textFor(new Error('x'), { middleware: [fail] })).toBe(words);
  });

  test('in the key of a limit', async () => {
    expect(await textFor(new Error('x'), { rateLimit: { points: 5, per: '1m', key: fail } })).toBe(words);
  });

  test('in a resource', async () => {
    const wire = await start({});
    server!.resources.add({ name: 'order', uri: 'order://1', handler: fail });
    const { error } = (await wire.request('resources/read', { uri: 'order://1' })) as { error?: any };
    expect(error.message).toBe(words);
  });

  test('in a prompt', async () => {
    const wire = await start({});
    server!.prompts.add({ name: 'order', handler: fail });
    const { error } = (await wire.request('prompts/get', { name: 'order' })) as { error?: any };
    expect(error.message).toBe(words);
  });

  test('in the words of a confirmation', async () => {
    const wire = await start({});
    server!.tools.add({
      name: 'pay',
      description: 'Pay.',
      policies: [Confirm.entry(fail)],
      handler: () => 'paid',
    });
    const { result } = (await wire.call('pay')) as { result?: any };
    expect(result.content[0].text).toBe(words);
  });

  test('in a stream that has begun', async () => {
    const wire = await start({});
    server!.tools.add({
      name: 'rows',
      description: 'Rows.',
      async *handler() {
        yield 'first';
        fail();
      },
    } as never);
    const { result } = (await wire.call('rows')) as { result?: any };
    expect(result.content[0].text).toBe(words);
  });
});

describe('the server does not start', () => {
  test.each<[string, unknown, RegExp]>([
    [
      'with a built-in class that is shown',
      [[Error, 'show']],
      /errors\[0\] would show what libraries and Node.js write/,
    ],
    [
      'with a class that comes twice',
      [
        [OrderError, 'show'],
        [OrderError, () => 'x'],
      ],
      /errors\[1\] names OrderError again/,
    ],
    ['with another word', [[OrderError, 'hide']], /must be a list such as .* errors\[0\] is/],
    [
      'with a function where a class belongs',
      [
        [OrderError, 'show'],
        [(error: Error) => error.message, 'show'],
      ],
      /^errors\[1\] begins with a function that is no class/,
    ],
    ['with a method in its place', [[{ words() {} }.words, 'show']], /^errors\[0\] begins with a function/],
    ['with a class alone', [OrderError], /must be a list such as .* errors\[0\] is/],
    ['with no list', { OrderError: 'show' }, /errors.* must be/],
  ])('%s', async (_what, rules, message) => {
    const problems = await problemsOf({ services: [], errors: rules as never });
    expect(problems.map((each) => each.message)).toEqual([expect.stringMatching(message)]);
  });
});
