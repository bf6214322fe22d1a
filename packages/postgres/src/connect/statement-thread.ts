import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ClientConfig } from 'pg';
import type { PostgresPool } from './connection-options.js';
import type { Row } from './database.js';
import { clientConfig, type DatabaseSettings } from './open-database.js';

/** A statement that is run again and again. */
export interface RepeatedStatement {
  readonly text: string;
  /** How long to rest before each time, in milliseconds. */
  readonly everyMs: number;
}

/** What the statement has answered. */
export interface StatementAnswer {
  /** The values that it was asked with. */
  readonly values: readonly unknown[];
  readonly rows: readonly Row[];
  /** How long ago it was asked, in milliseconds. */
  readonly ageMs: number;
}

/**
 * Runs a statement again and again on a thread and a connection of its own. So it also runs while the event loop of the
 * process is blocked, and stops when the whole process is stopped.
 */
export class StatementThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  #isOver = false;

  private constructor(
    setting: ThreadSetting,
    private readonly configure: () => Promise<ClientConfig>,
    failed: (error: unknown) => void,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    // A text, and no file: where an app is bundled, there is no file beside it. Flags of the process, such as one that loads
    // the instrumentation of an app, are not for this thread.
    this.#worker = new Worker(PROGRAM, {
      eval: true,
      execArgv: [],
      workerData: { ...setting, port: port2 },
      transferList: [port2],
    });
    this.#worker.on('error', (error) => {
      if (this.#isOver) return;
      this.#isOver = true;
      failed(error);
    });
    this.#worker.unref();
    port1.unref();
  }

  /**
   * @param failed is called when the thread has ended although nobody has ended it
   * @returns `undefined` where no thread can connect: PGlite is within this process, a pool may have been made with functions,
   *   and a bundle may have no driver beside it
   */
  static async start(
    settings: DatabaseSettings,
    statement: RepeatedStatement,
    failed: (error: unknown) => void,
  ): Promise<StatementThread | undefined> {
    try {
      const configure = () => threadConfig(settings);
      const setting = { ...statement, config: await configure(), driver: require.resolve('pg') };
      return new StatementThread(setting, configure, failed);
    } catch {
      return undefined;
    }
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @param values `undefined`: there is nothing to ask for now */
  ask(values: readonly unknown[] | undefined): void {
    if (!this.#isOver) this.#port.postMessage(values);
  }

  /** The answers since the last call. They are here even if the event loop could not yet take them. */
  answers(): StatementAnswer[] {
    const answers: StatementAnswer[] = [];
    const now = hereMs();
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      const { values, rows, at } = next.message as ThreadAnswer;
      if (rows) answers.push({ values, rows, ageMs: now - at });
      else void this.#configureAgain();
    }
    return answers;
  }

  /** A password or a certificate may have changed since the thread has connected. */
  async #configureAgain(): Promise<void> {
    try {
      const config = await this.configure();
      if (!this.#isOver) this.#port.postMessage({ config });
    } catch {
      // It stays with what it has.
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#port.close();
    await this.#worker.terminate();
  }
}

interface ThreadSetting extends RepeatedStatement {
  readonly config: ClientConfig;
  readonly driver: string;
}

/** What the thread says. Without rows, the statement has failed. */
type ThreadAnswer = Pick<StatementAnswer, 'values'> & { readonly rows?: readonly Row[]; readonly at: number };

/** A time that all threads of a process share, and that nobody sets. */
const hereMs = () => Number(process.hrtime.bigint() / 1_000n) / 1_000;

/** How a thread connects. The driver hides the key of a client certificate from whatever copies the options. */
async function threadConfig(settings: DatabaseSettings): Promise<ClientConfig> {
  const { url, pool, timeout } = settings;
  const { ssl, ...given } = pool ? await poolConfig(pool) : clientConfig(url!, settings);
  return {
    ...given,
    ...(ssl !== undefined && {
      ssl: typeof ssl === 'object' ? { ...ssl, ...('key' in ssl && { key: ssl.key }) } : ssl,
    }),
    query_timeout: timeout,
    connectionTimeoutMillis: timeout,
  };
}

/** How a pool of the application connects. Its password is not among the properties that are copied. */
async function poolConfig(pool: PostgresPool): Promise<ClientConfig> {
  const { options } = pool as { options?: ClientConfig };
  if (!options) throw new Error('The pool does not say how it connects.');
  const { max: _, ...rest } = options as ClientConfig & { max?: number };
  const password =
    typeof options.password === 'function' ? await askPassword(options.password, rest) : options.password;
  return { ...rest, ...(password !== undefined && { password }) };
}

/** The driver says to the function for which place and user the password is: some services sign it for these. */
async function askPassword(password: PasswordFunction, config: ClientConfig): Promise<string> {
  const { default: pg } = await import('pg');
  const { connectionParameters } = new pg.Client(config) as object as { connectionParameters: object };
  return password(connectionParameters);
}

type PasswordFunction = (place: object) => string | Promise<string>;

/** The program of the thread. What has no answer in time, or fails, is asked on a new connection next time. */
const PROGRAM = `
const { workerData: { driver, config: first, text, everyMs, port } } = require('node:worker_threads');
const pg = require(driver);
let config = first;
let values;
let client;
const now = () => Number(process.hrtime.bigint() / 1000n) / 1000;
const connect = async () => {
  const next = new pg.Client(config);
  next.on('error', () => { if (client === next) client = undefined; });
  await next.connect();
  return next;
};
const beat = async () => {
  const asked = values;
  const at = now();
  try {
    client ??= await connect();
    port.postMessage({ values: asked, rows: (await client.query(text, asked)).rows, at });
  } catch {
    client?.end().catch(() => {});
    client = undefined;
    port.postMessage({ values: asked, at });
  }
};
let isAsking = false;
const next = async () => {
  isAsking = true;
  while (values) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    if (values) await beat();
  }
  isAsking = false;
};
port.on('message', (given) => {
  if (given?.config) return void (config = given.config);
  values = given;
  if (values && !isAsking) void next();
});
`;
