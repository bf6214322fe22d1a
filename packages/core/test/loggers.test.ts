import bunyan from 'bunyan';
import consola from 'consola';
import log4js from 'log4js';
import loglevel from 'loglevel';
import { Console } from 'node:console';
import { PassThrough, Writable } from 'node:stream';
import { pino } from 'pino';
import winston from 'winston';
import { parseOptions } from '@toolwright/ground/base/options/option-schema';
import { type Logger, loggerRule, stderrLogger } from '@toolwright/ground/ports/logger';
import { close, createProtocolFixture } from './support/protocol-fixture.js';

// What a server logs in its operation, read where each package has written it. A line keeps its text, its fields and
// its level, and an error keeps its message and its stack.
const failure = new TypeError('The disk is full.');
const fields = { tool: 'orders-list', err: failure };
const text = 'A call failed';

interface Written {
  readonly logger: Logger;
  /** Everything that was written, as text. */
  read(): string;
}

function memory(): { sink: Writable; read(): string } {
  let all = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      all += String(chunk);
      done();
    },
  });
  return { sink, read: () => all };
}

function winstonOf(options: winston.LoggerOptions = {}): Written {
  const { sink, read } = memory();
  const format = winston.format.json();
  const logger = winston.createLogger({
    level: 'debug',
    format,
    transports: [new winston.transports.Stream({ stream: sink })],
    ...options,
  });
  return { logger, read };
}

/** A set of levels without `debug`, whose methods the types of winston do not know. */
const severities = { fatal: 0, error: 1, warning: 2, info: 3 };

const libraries: Record<string, () => Written> = {
  pino: () => {
    const { sink, read } = memory();
    return { logger: pino({ level: 'debug' }, sink), read };
  },
  'a child of pino': () => {
    const { sink, read } = memory();
    return { logger: pino({ level: 'debug' }, sink).child({ part: 'mcp' }), read };
  },
  winston: () => winstonOf(),
  'a child of winston': () => {
    const { logger, read } = winstonOf();
    return { logger: (logger as unknown as winston.Logger).child({ part: 'mcp' }), read };
  },
  "winston with syslog's levels": () => winstonOf({ levels: winston.config.syslog.levels }),
  'winston with levels of its own': () => winstonOf({ levels: severities, level: 'info' }),
  'the module of winston': () => {
    const { sink, read } = memory();
    winston.configure({
      level: 'debug',
      format: winston.format.json(),
      transports: [new winston.transports.Stream({ stream: sink })],
    });
    return { logger: winston, read };
  },
  bunyan: () => {
    const { sink, read } = memory();
    return { logger: bunyan.createLogger({ name: 'shop', level: 'debug', stream: sink }), read };
  },
  'bunyan with serialisers': () => {
    const { sink, read } = memory();
    const { stdSerializers: serializers } = bunyan;
    return {
      logger: bunyan.createLogger({ name: 'shop', level: 'debug', stream: sink, serializers }),
      read,
    };
  },
  log4js: () => {
    let all = '';
    log4js.configure({
      appenders: {
        kept: {
          type: {
            configure: (_config, layouts) => {
              const layout = layouts!.basicLayout;
              return (event: log4js.LoggingEvent) => {
                all += `${layout(event)}\n`;
              };
            },
          },
        },
      },
      categories: { default: { appenders: ['kept'], level: 'debug' } },
    });
    return { logger: log4js.getLogger(), read: () => all };
  },
  consola: () => {
    const { sink, read } = memory();
    const stdout = sink as unknown as NodeJS.WriteStream;
    return { logger: consola.create({ level: 4, stdout, stderr: stdout }), read };
  },
  loglevel: () => {
    let all = '';
    const logger = loglevel.getLogger('shop');
    logger.methodFactory =
      (level) =>
      (...parts: unknown[]) => {
        all += `${level} ${parts.map((part) => (part instanceof Object ? inspected(part) : String(part))).join(' ')}\n`;
      };
    logger.setLevel('debug');
    return { logger, read: () => all };
  },
  'a console': () => {
    const stream = new PassThrough();
    const logger = new Console({ stdout: stream, stderr: stream });
    return { logger, read: () => String(stream.read()) };
  },
};

function inspected(value: object): string {
  const { sink, read } = memory();
  new Console(sink).log(value);
  return read();
}

const readOptions = (logger: unknown): { logger: Logger } =>
  parseOptions('createMcpServer', { logger: loggerRule }, { logger } as { logger: Logger });

test.each(Object.entries(libraries))('%s keeps the text, the fields and the error', async (_name, open) => {
  const { logger: given, read } = open();
  const { logger } = readOptions(given);
  logger.error(fields, text);
  logger.warn({}, 'A second line');
  const written = await settled(read);
  expect(written).toContain(text);
  expect(written).toContain('orders-list');
  expect(written).toContain('The disk is full.');
  expect(written).toContain('loggers.test');
  expect(written).toContain('A second line');
});

test('each line of winston has its level and its text where readers look for them', async () => {
  const { logger: given, read } = winstonOf();
  const { logger } = readOptions(given);
  for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level]({ level: 'forged' }, level);
  const lines = (await settled(read)).trim().split('\n');
  const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(found.map(({ level, message }) => [level, message])).toEqual(
    ['debug', 'info', 'warn', 'error'].map((level) => [level, level]),
  );
});

test("an error is still one to winston's own format, and JSON has its causes", async () => {
  const { format } = winston;
  const printed = winstonOf({ format: format.printf(({ err }) => `${String(err)}|${(err as Error).stack}`) });
  readOptions(printed.logger).logger.error(fields, text);
  expect(await settled(printed.read)).toMatch(/^TypeError: The disk is full\.\|TypeError: [^]*loggers\.test/);
  const { logger: given, read } = winstonOf();
  const own = new Error('outer', { cause: new Error('inner') });
  const ring = new Error('ring');
  ring.cause = ring;
  readOptions(given).logger.error({ err: own, ring }, text);
  expect(JSON.parse(await settled(read))).toMatchObject({
    err: { message: 'outer', cause: { message: 'inner', stack: expect.stringContaining('loggers.test') } },
    ring: { cause: { cause: { message: 'ring' } } },
  });
});

test('a server logs through winston', async () => {
  const { logger, read } = winstonOf();
  await close(await createProtocolFixture({ logger, ports: { instanceId: 'pages-7f9c' } }));
  const [line] = (await settled(read)).split('\n');
  expect(JSON.parse(line!)).toMatchObject({
    level: 'info',
    instance: 'pages-7f9c',
    message: expect.stringContaining('survive a restart'),
  });
});

test('a logger that writes with other names is refused by its name, before anything starts', () => {
  const nest = { log() {}, warn() {}, error() {}, debug() {} };
  expect(() => readOptions(nest)).toThrow(/"logger" must be a logger with debug, info, warn and error/);
  const { logger } = winstonOf({ levels: { good: 0, bad: 1 }, level: 'bad' });
  expect(() => readOptions(logger)).toThrow(/"logger" must be a logger with debug, info, warn and error/);
});

test('what needs no help gets its lines as they are', () => {
  const lines: string[] = [];
  const { logger } = readOptions(stderrLogger((line) => void lines.push(line)));
  logger.warn({ tool: 'find' }, 'It is slow');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'warn', tool: 'find', message: 'It is slow' },
  ]);
});

/** Streams of winston write in a later turn. */
async function settled(read: () => string): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  return read();
}
