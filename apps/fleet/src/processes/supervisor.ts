/** A process that can be started again. */
export interface Supervised {
  /** Resolves when it has ended. */
  readonly exited: Promise<void>;
  launch(): Promise<void>;
}

/** How long to wait before a process is started again. A process that fails at once must not use up the machine. */
const PAUSE_MS = 300;

/** Starts processes again that have ended, as an orchestrator does. */
export class Supervisor {
  #isOver = false;
  #end = () => {};
  readonly #ended = new Promise<void>((resolve) => (this.#end = resolve));
  readonly #loops: Promise<void>[] = [];

  /** @param onRestart is called when it runs again */
  watch(part: Supervised, onRestart: () => void): void {
    this.#loops.push(this.#watch(part, onRestart));
  }

  /** Starts nothing any more. Resolves when nothing is being started. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#end();
    await Promise.all(this.#loops);
  }

  async #watch(part: Supervised, onRestart: () => void): Promise<void> {
    while (!this.#isOver) {
      await Promise.race([part.exited, this.#ended]);
      await Promise.race([new Promise((resolve) => setTimeout(resolve, PAUSE_MS)), this.#ended]);
      if (this.#isOver) return;
      try {
        await part.launch();
        onRestart();
      } catch (error) {
        console.error(error instanceof Error ? error.message : error);
      }
    }
  }
}
