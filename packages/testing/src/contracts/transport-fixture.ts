import { type McpServer, createMcpServer } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { type Clock, silentLogger } from '@toolwright/core/ports';
import { getOrMake } from '@toolwright/json';

/** A clock whose time does not pass until a suite moves it. From then on, every wait ends at once. */
class StandingClock implements Clock {
  #now = Date.parse('2026-07-28T00:00:00Z');
  #passes = false;
  readonly #timers = new Set<{ delayMs: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { delayMs, run };
    this.#timers.add(timer);
    if (this.#passes) setImmediate(() => this.#end(timer));
    return () => void this.#timers.delete(timer);
  }

  letPass(): void {
    this.#passes = true;
    for (const timer of [...this.#timers]) this.#end(timer);
  }

  #end(timer: { delayMs: number; run: () => void }): void {
    if (!this.#timers.delete(timer)) return;
    this.#now += timer.delayMs;
    timer.run();
  }
}

/** The server of a transport under test, and what the suite knows about its calls. */
export interface TransportFixture {
  server: McpServer;
  /** Resolves when a call waits at the gate. */
  reached(gate: string): Promise<void>;
  /**
   * Resolves when the call at the gate was cancelled. Time passes meanwhile, because some transports take
   * some time for that.
   */
  aborted(gate: string): Promise<void>;
  /** Lets the call at the gate continue. */
  open(gate: string): void;
  openAll(): void;
}

/** A promise, and the function that settles it. */
class Moment {
  come!: () => void;
  readonly came = new Promise<void>((resolve) => (this.come = resolve));
}

/** What happens at one gate. The gate "open" is always open. */
class Gate {
  readonly reached = new Moment();
  readonly opened = new Moment();
  readonly aborted = new Moment();

  async pass(signal: AbortSignal): Promise<void> {
    this.reached.come();
    signal.addEventListener('abort', () => this.aborted.come(), { once: true });
    await Promise.race([this.opened.came, this.aborted.came]);
    signal.throwIfAborted();
  }
}

export async function createTransportFixture(): Promise<TransportFixture> {
  const gates = new Map<string, Gate>();
  const gate = (name: string) => getOrMake(gates, name, () => new Gate());
  gate('open').opened.come();
  const clock = new StandingClock();
  const limits = { rateLimit: false, concurrency: false, timeout: false } as const;
  const server = await createMcpServer({
    name: 'transport',
    version: '1.0.0',
    logger: silentLogger,
    ports: { clock },
    ...limits,
  });
  server.use(({ operation, request }, next) => {
    if (operation.name !== 'whoami') return next();
    const { principal, ip, transport } = request;
    const seen = { subject: principal?.subject ?? null, ip: ip ?? null, transport };
    return { content: [{ type: 'text', text: JSON.stringify(seen) }] };
  });
  for (const tool of tools(gate)) server.tools.add(tool);
  return {
    server,
    reached: (name) => gate(name).reached.came,
    aborted(name) {
      clock.letPass();
      return gate(name).aborted.came;
    },
    open: (name) => gate(name).opened.come(),
    openAll: () => gates.forEach(({ opened }) => opened.come()),
  };
}

function tools(gate: (name: string) => Gate): ToolDefinition[] {
  const annotations = { readOnlyHint: true };
  return [
    { name: 'whoami', description: 'Who calls.', annotations, handler: () => undefined },
    {
      name: 'report',
      description: 'Reports its progress.',
      annotations,
      handler(_args, context) {
        context.progress(1, 2, 'half');
        context.progress(2, 2, 'all');
        return 'done';
      },
    },
    {
      name: 'hold',
      description: 'Waits at a gate.',
      annotations,
      inputSchema: { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] },
      async handler({ gate: name }, { signal }) {
        await gate(String(name)).pass(signal);
        return `through ${String(name)}`;
      },
    },
  ];
}
