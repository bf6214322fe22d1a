/** Makes the tool of a test wait. The test knows when the tool has arrived, and lets it continue. */
export class Gates {
  /** Gates that a method has come to. */
  readonly entered: string[] = [];
  /** Gates whose method was told to stop. */
  readonly aborted: string[] = [];
  readonly #gates = new Map<string, Gate>();

  /** For the method: waits until the test opens the gate. */
  async wait(name: string, signal: AbortSignal): Promise<void> {
    const gate = this.#gate(name);
    gate.reach();
    this.entered.push(name);
    await new Promise<void>((resolve, reject) => {
      void gate.opened.then(resolve);
      const stop = () => {
        this.aborted.push(name);
        reject(new Error('aborted'));
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** For the test: resolves when a method waits at the gate. */
  reached(name: string): Promise<void> {
    return this.#gate(name).reached;
  }

  open(name: string): void {
    this.#gate(name).open();
  }

  #gate(name: string): Gate {
    let gate = this.#gates.get(name);
    if (!gate) this.#gates.set(name, (gate = createGate()));
    return gate;
  }
}

interface Gate {
  reached: Promise<void>;
  opened: Promise<void>;
  reach(): void;
  open(): void;
}

function createGate(): Gate {
  let reach!: () => void;
  let open!: () => void;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { reached, opened, reach, open };
}
