import { Sandbox } from './sandbox.js';

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

  /**
   * @param programs how many work at a time
   * @param spare how many threads wait warm
   */
  constructor(
    private readonly programs: number,
    private readonly spare: number,
  ) {}

  /** Starts threads, so that the first program need not wait. */
  warm(): void {
    while (!this.#isClosed && this.#warm.length < this.spare) this.#warm.push(new Sandbox());
  }

  /** A thread for one program. Give it back. */
  take(): Sandbox {
    let sandbox = this.#warm.shift();
    while (sandbox && !sandbox.isUsable) sandbox = this.#warm.shift();
    sandbox ??= new Sandbox();
    this.#used.add(sandbox);
    // Not now: the thread that starts would take the time of the program.
    setImmediate(() => this.warm());
    return sandbox;
  }

  giveBack(sandbox: Sandbox): void {
    this.#used.delete(sandbox);
    sandbox.leave();
    if (this.#warm.length >= this.spare || this.#isClosed) sandbox.end();
    else if (sandbox.isUsable) this.#warm.push(sandbox);
  }

  /** Waits for its turn to work, and works. */
  async work<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
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
