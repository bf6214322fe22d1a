import { setTimeout as pause } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { JsonRpcCode, type Principal } from '@toolwright/core';
import {
  type Duration,
  optionRules,
  parseOptions,
  requireServer,
  type OptionSchema,
} from '@toolwright/core/options';
import {
  AnswerPause,
  errorText,
  type Peer,
  type Protocol,
  stopOnSignals,
  type WhenUnhandled,
  watchUnhandled,
  whenUnhandledOption,
} from '@toolwright/core/transport';
import { holdStdout } from './guard-stdout.js';
import { LineReader } from './line-reader.js';
import { LineWriter } from './line-writer.js';

/** The part of a server that is served on stdio, and closed when the client goes. */
export interface StdioServed {
  readonly protocol: Protocol;
  close?(): Promise<void>;
}

export interface ServeStdioOptions {
  /** The stream that messages are read from. Default: stdin. */
  input?: Readable;
  /**
   * The stream that messages are written to. Default: stdout; what the process and its children print then goes to
   * stderr. See `guardStdout`.
   */
  output?: Writable;
  /** The longest line, in bytes. Default 4 MiB. */
  maxLineBytes?: number;
  /**
   * How many bytes may wait in this process until the client reads them. When too much waits and the client does not
   * take it, the connection ends. Default 64 MiB.
   */
  maxUnreadBytes?: number;
  /**
   * How long running calls may still take after the client has gone. Default 1 second. 0: they are stopped at
   * once; `Infinity`: until they end.
   */
  grace?: Duration;
  /**
   * The caller: the one user whose client started this process. Tools with `@RequireScopes` need its scopes.
   * Default: an anonymous caller, which `security: 'strict'` refuses.
   */
  principal?: Principal;
  /**
   * Whether the process exits when the client has gone, or when a signal asks for it. Default: true when
   * stdin is the input.
   */
  exit?: boolean;
  /**
   * What happens when a promise is rejected that nobody awaits, or when a timer or a listener throws. `drain`: it is logged,
   * running calls are answered, and the process exits with 1. `keep`: the process goes on after a rejected promise. `node`:
   * Node.js ends the process at once. Without `exit` it is always `node`. Default `drain`.
   */
  whenUnhandled?: WhenUnhandled;
}

const { anyDuration, flag, named, objectWith, positiveCount } = optionRules;
const MEBIBYTE = 1_048_576;
const bytes = named('a number of bytes', positiveCount);

/** Every option with its rule and its default. */
const serveStdioOptions = {
  input: objectWith('a readable stream', 'on', 'read'),
  output: objectWith('a writable stream', 'on', 'write'),
  maxLineBytes: { ...bytes, default: 4 * MEBIBYTE },
  maxUnreadBytes: { ...bytes, default: 64 * MEBIBYTE },
  grace: { ...anyDuration, default: 1_000 },
  principal: optionRules.principal,
  exit: flag,
  whenUnhandled: whenUnhandledOption,
} satisfies OptionSchema<ServeStdioOptions>;

export interface StdioService {
  /** Resolves when the connection has ended and everything behind it is closed. */
  readonly closed: Promise<void>;
  /** Waits for running calls, and then ends the connection. */
  close(): Promise<void>;
}

/**
 * Serves one client on stdin and stdout, with one message per line. It ends when stdin ends.
 *
 * @throws {ConfigurationError} with all problems of the options
 * @example
 * await serveStdio(await createMcpServer({ name: 'pages', version: '1.0.0', services: [PageTools] }));
 */
export async function serveStdio(
  server: StdioServed,
  options: ServeStdioOptions = {},
): Promise<StdioService> {
  requireServer('serveStdio', server);
  const settings = parseOptions('serveStdio', serveStdioOptions, options);
  const { input = process.stdin, grace, maxLineBytes, maxUnreadBytes } = settings;
  const exits = settings.exit ?? input === process.stdin;
  const { protocol } = server;
  protocol.warnAtStart(settings.principal ? undefined : 'Set the option "principal" of serveStdio.');
  const { clock, logger } = protocol;
  const { output, release } = outputOf(settings.output, logger);
  const peer: Peer = { principal: settings.principal, ip: undefined, transport: 'stdio' };
  const writer = new LineWriter({ output, input, peer, maxUnreadBytes, clock, logger });
  const send = new AnswerPause().over((text) => writer.write(text));
  const connection = protocol.connect(peer, send, () => writer.isBehind);
  const reader = new LineReader(maxLineBytes, {
    line: (text) => connection.receiveText(text),
    failure: (message, id) => send(errorText(id, { rpcCode: codeFor(id), message })),
  });

  let hurry = () => {};
  const hurried = new Promise<void>((resolve) => (hurry = resolve));
  let closing: Promise<void> | undefined;
  const end = () => (closing ??= stop());
  // At the end of the input, a client that reads slowly gets all. A signal does not wait for one that reads nothing.
  const close = () => {
    hurry();
    return end();
  };
  const stop = async () => {
    try {
      await protocol.drain(grace);
    } finally {
      connection.close();
      input.off('data', onData);
      await Promise.race([writer.flush(), hurried.then(() => pause(grace, undefined, { ref: false }))]);
      await server.close?.();
      // A process that exits may print until its end.
      if (!exits) release();
    }
  };
  const onData = (chunk: Buffer | string) =>
    reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const closed = new Promise<void>((resolve, reject) => {
    const finish = () => void end().then(resolve, reject);
    input.on('data', onData);
    input.once('end', () => {
      reader.end();
      finish();
    });
    input.once('close', finish);
    input.on('error', finish);
    // The client closed its end, so nothing can be sent to it any more.
    output.on('error', finish);
    output.once('close', finish);
  });
  if (exits) {
    watchUnhandled(settings.whenUnhandled, [protocol]);
    exitAfter(closed, close);
  }
  return { closed, close };
}

/** HTTP refuses a body that is too large with the same code. A line whose id is not known could not be read at all. */
const codeFor = (id: string | number | undefined) =>
  id === undefined ? JsonRpcCode.parseError : JsonRpcCode.invalidRequest;

const PRINTED =
  'Something was printed on standard output before serveStdio was called, where hosts expect the protocol. Print with console.error, or call guardStdout in the file that is imported first';

/** Standard output is held until everything is closed, because what closes may print. */
function outputOf(
  named: Writable = process.stdout,
  logger: Protocol['logger'],
): { output: Writable; release: () => void } {
  if (named !== process.stdout) return { output: named, release: () => undefined };
  const { protocol, printed, release } = holdStdout();
  if (printed > 0) logger.warn({ bytes: printed }, PRINTED);
  return { output: protocol, release };
}

function exitAfter(closed: Promise<void>, close: () => Promise<void>): void {
  const leave = (end: Promise<void>) =>
    void end.then(
      () => process.exit(),
      () => process.exit(1),
    );
  leave(closed);
  stopOnSignals(close);
}
