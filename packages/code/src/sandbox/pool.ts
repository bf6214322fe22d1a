import { Sandbox } from './sandbox.js';

/** The most bytes that the programs of a process may have while they run or wait. Further programs are refused. */
const MOST_BYTES = 1_073_741_824;

/** When the thread for the next program is started, in milliseconds. Most programs are over by then, and their thread is free. */
const LATER = 50;

/**
 * The threads of a process. Some wait warm, so that a program begins at once. At most `programs` programs work at a time; one
 * that waits for a call or for a person keeps its thread, and works no more.
 */
export class SandboxPool {
  readonly #warm: Sandbox[] = [];
  readonly #queue: (() => void)[] = [];
  #working = 0;
  #isClosed = false;
  readonly #used = new Set<Sandbox>();

  /** @param programs how many work at a time. As many threads wait at most */
  constructor(private readonly programs: number) {}

  /** Starts a thread, so that the next program need not wait. */
  warm(): void {
    if (!this.#isClosed && this.#warm.length === 0) this.#warm.push(new Sandbox());
  }

  /** Whether the process has memory for one more. */
  get hasRoom(): boolean {
    let bytes = 0;
    for (const sandbox of this.#used) bytes += sandbox.bytes;
    return bytes < MOST_BYTES;
  }

  /** A thread for one program. Give it back. */
  take(): Sandbox {
    let sandbox = this.#warm.pop();
    while (sandbox && !sandbox.isUsable) sandbox = this.#warm.pop();
    sandbox ??= new Sandbox();
    this.#used.add(sandbox);
    // Not now: the thread that starts would take the time of the program.
    if (this.#warm.length === 0) setTimeout(() => this.warm(), LATER).unref();
    return sandbox;
  }

  giveBack(sandbox: Sandbox): void {
    this.#used.delete(sandbox);
    if (this.#warm.length >= this.programs || this.#isClosed || sandbox.isTired) return sandbox.end();
    sandbox.leave();
    // The one that has had the longest time to get ready is taken next.
    if (sandbox.isUsable) this.#warm.unshift(sandbox);
  }

  /** Waits for its turn to work, and works. */
  async work<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#working >= this.programs) await this.#turn(signal);
    else this.#working++;
    try {
      return await run();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#working--;
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(go), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(go);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const sandbox of [...this.#warm.splice(0), ...this.#used]) sandbox.end();
  }
}
