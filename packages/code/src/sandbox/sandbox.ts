import { Worker } from 'node:worker_threads';
import type { Order, Turn } from './messages.js';
import { workerFile } from './worker-file.js';

/** How much longer than a turn may take the thread is waited for, in milliseconds. Some work of the interpreter cannot be interrupted. */
const PATIENCE = 1_000;

/** The most memory of the thread itself, in megabytes. The interpreter's memory is counted apart. */
const HEAP = 64;

/** A thread that runs one program. It is thrown away after it, with everything that the program left. */
export class Sandbox {
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #isOver = false;
  #answer: ((turn: Turn | Error) => void) | undefined;

  constructor() {
    // Flags of the process, such as one that loads instrumentation, are not for this thread. It sees no variable either.
    this.#worker = new Worker(workerFile(), {
      env: {},
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP, stackSizeMb: 4 },
    });
    this.#worker.unref();
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.once('message', () => resolve());
      this.#worker.once('error', reject);
      this.#worker.once('exit', () => reject(new Error('The thread has ended.')));
    });
    this.#ready.catch(() => undefined);
    this.#worker.on('message', (turn: Turn | 'ready') => {
      if (turn !== 'ready') this.#answer?.(turn);
    });
    this.#worker.on('error', (error) => this.#lost(error));
    this.#worker.on('exit', () => this.#lost(new Error('The thread of a program has ended.')));
  }

  /** @throws {Error} when the thread cannot start */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Whether it can take a program. */
  get isUsable(): boolean {
    return !this.#isOver;
  }

  /**
   * Lets the program work until it has nothing left to do.
   *
   * @returns what it did. A thread that does not answer, or that has ended, has broken a limit: its memory is the only
   *   other thing that ends a thread
   */
  async turn(order: Order): Promise<Turn> {
    await this.#ready;
    const began = performance.now();
    const answered = new Promise<Turn | Error>((resolve) => (this.#answer = resolve));
    const timer = setTimeout(() => this.#answer?.(new Error('late')), order.ms + PATIENCE);
    this.#worker.ref();
    this.#worker.postMessage(order);
    const turn = await answered;
    clearTimeout(timer);
    this.#worker.unref();
    this.#answer = undefined;
    if (!(turn instanceof Error)) return turn;
    this.end();
    const limit = turn.message === 'late' ? 'time' : 'memory';
    return { asked: [], logs: [], ms: performance.now() - began, end: { kind: 'limit', limit } };
  }

  /** Ends the thread, whatever it does. */
  end(): void {
    this.#isOver = true;
    void this.#worker.terminate();
  }

  #lost(error: Error): void {
    this.#isOver = true;
    this.#answer?.(error);
  }
}
