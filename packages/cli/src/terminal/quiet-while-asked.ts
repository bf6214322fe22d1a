import type { Terminal } from '@toolwright/operate/terminal';

/** How many lines are kept while a question waits. Further lines are only counted. */
const MOST_HELD = 1_000;

/**
 * A terminal that writes nothing while a question waits for its answer. Otherwise a server could push its
 * question off the screen with log lines, or write another question over it as progress.
 */
export function quietWhileAsked(terminal: Terminal): Terminal {
  const { ask, status } = terminal;
  if (!ask) return terminal;
  const lines = new HeldLines();
  return {
    cwd: terminal.cwd,
    env: terminal.env,
    colours: terminal.colours,
    columns: terminal.columns,
    get rows() {
      return terminal.rows;
    },
    out: (text) => lines.write(() => terminal.out(text)),
    write: (text) => terminal.write(text),
    err: (text) => lines.write(() => terminal.err(text)),
    writeErr: (text) => lines.write(() => terminal.writeErr(text)),
    // An old status is useless later, so it is dropped.
    ...(status && { status: (text: string) => (lines.areHeld ? undefined : status.call(terminal, text)) }),
    ask: async (question) => {
      lines.hold();
      try {
        return await ask.call(terminal, question);
      } finally {
        lines.release((count) => terminal.err(`… and ${count} more lines.`));
      }
    },
  };
}

class HeldLines {
  private held: (() => void)[] | undefined;
  private dropped = 0;

  get areHeld(): boolean {
    return this.held !== undefined;
  }

  write(line: () => void): void {
    if (!this.held) line();
    else if (this.held.length < MOST_HELD) this.held.push(line);
    else this.dropped += 1;
  }

  hold(): void {
    this.held ??= [];
  }

  release(tellDropped: (count: number) => void): void {
    const { held = [], dropped } = this;
    this.held = undefined;
    this.dropped = 0;
    for (const line of held) line();
    if (dropped > 0) tellDropped(dropped);
  }
}
