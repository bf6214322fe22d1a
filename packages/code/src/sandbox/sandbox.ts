import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Order, ProgramTurn, ThreadMessage } from './messages.js';

/** How much longer than a turn may take the thread is waited for, in milliseconds. Some work of the interpreter cannot be interrupted. */
const PATIENCE = 1_000;

/** The most memory of the thread itself, in megabytes. The memory of the interpreter is counted apart. */
const HEAP = 64;

/** What of WebAssembly is used here. The types of Node.js do not have it. */
const { compile } = (
  globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> } }
).WebAssembly;

let compiled: Promise<unknown> | undefined;

/** The interpreter as a module of WebAssembly, compiled once for all threads of the process. */
function compileInterpreter(): Promise<unknown> {
  return (compiled ??= readFile(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')).then(compile));
}

/** The program of the threads. It is beside the bundle of the package, wherever this module runs from. */
const workerFile = (): string =>
  join(require.resolve('@toolwright/code/package.json'), '../dist/worker.bundle.js');

/** A thread that runs one program at a time. Each program has an interpreter of its own. */
export class Sandbox {
  /** Whether it takes no other program: it has become too slow, or its memory has grown, which never gets smaller. */
  isUsedUp = false;
  readonly #worker: Worker;
  #isOver = false;
  #ready: Promise<void>;
  #isReady: (() => void) | undefined;
  #answer: ((turn: ProgramTurn | Error) => void) | undefined;
  /** Why the thread has ended by itself. */
  #failure: Error | undefined;

  /** @param file what the thread runs */
  constructor(private readonly file = workerFile()) {
    this.#ready = this.#untilReady();
    this.#worker = this.#start();
    // The thread starts meanwhile.
    compileInterpreter().then(
      (module) => this.#send({ module }),
      (error: unknown) => this.#worker.emit('error', error),
    );
  }

  /** Whether it can take a program. */
  get isUsable(): boolean {
    return !this.#isOver;
  }

  /**
   * Lets the program work until it has nothing left to do.
   *
   * @returns what it did. A thread that does not answer, or that has ended for want of memory, has broken a limit
   * @throws {Error} when the thread could not start, or has ended in another way
   */
  async turn(order: Order): Promise<ProgramTurn> {
    this.#worker.ref();
    await this.#ready;
    if (this.#isOver) return this.#lostTurn(0);
    const began = performance.now();
    const answered = new Promise<ProgramTurn | Error>((resolve) => (this.#answer = resolve));
    const timer = setTimeout(() => this.#answer?.(new Error('late')), order.ms + PATIENCE);
    this.#send(order);
    const turn = await answered;
    clearTimeout(timer);
    this.#worker.unref();
    this.#answer = undefined;
    if (!(turn instanceof Error)) {
      this.isUsedUp = turn.isTired || turn.hasGrown;
      return turn;
    }
    const isLate = turn.message === 'late';
    if (isLate) void this.end();
    const ms = performance.now() - began;
    return isLate ? lost(ms, 'time') : this.#lostTurn(ms);
  }

  #lostTurn(ms: number): ProgramTurn {
    const { code } = (this.#failure ?? {}) as { code?: unknown };
    if (this.#failure && code !== 'ERR_WORKER_OUT_OF_MEMORY')
      throw new Error('The thread of a program could not start, or was lost.', { cause: this.#failure });
    return lost(ms, 'memory');
  }

  /** Forgets the program, and makes another interpreter for the next one. */
  leave(): void {
    if (this.#isOver) return;
    this.#ready = this.#untilReady();
    this.#send('leave');
  }

  /** Ends the thread, whatever it does. Its memory is free then. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#worker.terminate();
  }

  #untilReady(): Promise<void> {
    return new Promise((resolve) => (this.#isReady = resolve));
  }

  #send(message: ThreadMessage): void {
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    // Flags of the process, such as one that loads instrumentation, are not for this thread. It sees no variable either.
    const worker = new Worker(this.file, {
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP, stackSizeMb: 4 },
    });
    worker.on('message', (message: ProgramTurn | 'ready') => {
      if (message === 'ready') this.#isReady?.();
      else this.#answer?.(message);
    });
    worker.on('error', (error) => this.#lost(error));
    worker.on('exit', () => this.#lost(new Error('The thread of a program has ended.')));
    // The last step: a listener holds the process again.
    worker.unref();
    return worker;
  }

  #lost(error: Error): void {
    if (!this.#isOver) this.#failure = error;
    this.#isOver = true;
    this.#isReady?.();
    this.#answer?.(error);
  }
}

function lost(ms: number, limit: 'time' | 'memory'): ProgramTurn {
  return { asked: [], logs: [], ms, hasGrown: true, isTired: true, end: { kind: 'limit', limit } };
}
