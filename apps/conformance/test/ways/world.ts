import { createMcpServer, type McpServer, type Principal, type ToolContext } from '@toolwright/core';
import type { CallTrace, ObservedMessage, ToolDefinition } from '@toolwright/core/operate';
import type { AuditEvent, Clock } from '@toolwright/core/ports';
import { FakeClock } from '../../../../packages/core/test/support/fake-clock.js';
import { Gates } from '../../../../packages/core/test/support/gates.js';
import { type Judge, type Preparation, type Reached, type Way, type Who, must } from './table.js';
import { type Answer, type Era, type Json, Wire } from './wire.js';

/** Every result of the author has it. */
export const MARK = 'the-mark';
/** The name of the operation, whatever its kind is. */
export const NAME = 'subject';
/** The argument that must not be repeated. */
export const SECRET = 'canary-7261';

const ann: Principal = {
  ...{
    issuer: 'https://login.example.com',
    subject: 'ann',
    clientId: 'app',
    tenant: 'acme',
    scopes: ['use'],
  },
};
const people: Readonly<Record<Who, Principal>> = {
  ...{ ann, plain: ann },
  stranger: { ...ann, scopes: [] },
  abroad: { ...ann, tenant: 'globex' },
};

/** The server of one cell: one way, one judge, one era. */
export class World {
  server!: McpServer;
  /** How often code of the author ran. */
  runs = 0;
  /** What judges with a switch go by. */
  isAllowed = true;
  decision: 'accept' | 'decline' = 'accept';
  readonly gates = new Gates();
  readonly audit: AuditEvent[] = [];
  readonly messages: ObservedMessage[] = [];
  readonly calls: CallTrace[] = [];
  readonly logs: unknown[] = [];
  /** What judges keep of a cell. */
  readonly notes: Json = {};
  /** Waits for nothing unless a way moves it. */
  readonly clock = new FakeClock();
  principals: Record<Who, Principal> = { ...people };
  readonly plan: Preparation;
  readonly #wires = new Map<Who, Wire>();
  readonly #closing: (() => unknown)[] = [];

  constructor(
    readonly way: Way,
    readonly judge: Pick<Judge, 'prepare'>,
    readonly era: Era,
  ) {
    this.plan = judge.prepare(this);
  }

  async open(): Promise<this> {
    const log = (fields: unknown, text: unknown) => void this.logs.push([fields, text]);
    const { way, plan } = this;
    this.server = await createMcpServer({
      ...{ name: 'ways', version: '1', services: [], rateLimit: false, concurrency: false, timeout: false },
      logger: { debug: log, info: log, warn: log, error: log },
      audit: { write: (event) => void this.audit.push(event), flush: async () => {}, close: async () => {} },
      ports: { clock: this.clock as Clock },
      ...way.options,
      ...way.services?.(this),
      ...plan.options,
    });
    this.server.on('message', (message) => this.messages.push(message));
    this.server.on('call', (trace) => this.calls.push(trace));
    await plan.started?.(this);
    await way.place?.(this);
    return this;
  }

  /** Runs the method of the author. */
  async run(args: Json, ctx: ToolContext): Promise<unknown> {
    this.runs++;
    const value: unknown = this.plan.run ? await this.plan.run(args, ctx) : MARK;
    if (!this.way.isLong) return value;
    return typeof value === 'string'
      ? Array.from({ length: Math.ceil(6_000 / value.length) }, () => value).join(' and ')
      : { ...(value as object), rows: Array.from({ length: 300 }, () => MARK) };
  }

  /** The definition of the tool. A way may change it. */
  definition(changes: Partial<ToolDefinition> = {}): ToolDefinition {
    const { uses = [], of = { type: 'string' }, output, definition = {} } = this.plan;
    const policies = uses.map(([policy, ...args]) => policy.entry(...args));
    return {
      name: NAME,
      description: 'Does what its author says.',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { of }, additionalProperties: false },
      ...(output && { outputSchema: output }),
      ...changes,
      ...definition,
      policies: [...policies, ...(changes.policies ?? [])],
      handler: (args, ctx) => this.run(args, ctx),
    };
  }

  get args(): Json {
    return this.plan.args ?? { of: 'x' };
  }

  wire(who: Who): Wire {
    let wire = this.#wires.get(who);
    if (!wire) {
      wire = new Wire(this.server, this.era, { principal: this.principals[who], isPlain: who === 'plain' });
      wire.decide = () => this.decision;
      this.#wires.set(who, wire);
    }
    return wire;
  }

  /** How often the person was asked. */
  get questions(): number {
    return [...this.#wires.values()].reduce((sum, { questions }) => sum + questions.length, 0);
  }

  async ask(who: Who, method: string, params: Json): Promise<Answer> {
    return this.wire(who).request(method, { ...params, ...this.plan.stray });
  }

  /** The same without further rounds. */
  once(who: Who, method: string, params: Json): Promise<Answer> {
    return this.wire(who).once(method, { ...params, ...this.plan.stray });
  }

  /** Waits until the method of the author is held at its gate. @throws when the call ends before it gets there */
  async held(running: Promise<Reached>): Promise<void> {
    const ended = running.then(({ text }) => must(false, `ends before it runs: ${text.slice(0, 200)}`));
    await Promise.race([this.gates.reached('gate'), ended]);
  }

  begin(who: Who = 'ann'): Promise<unknown> {
    return this.way.begin?.(this, who) ?? Promise.resolve();
  }

  /** Goes the way, after what has to be done before. */
  async go(who: Who = 'ann'): Promise<Reached> {
    return this.way.reach(this, who, await this.begin(who));
  }

  /** The same, where it has to lead somewhere. */
  async mustReach(who: Who = 'ann'): Promise<Reached> {
    const reached = await this.go(who);
    must(reached.isReached, `is not reached: ${reached.text.slice(0, 300)}`);
    return reached;
  }

  onClose(close: () => unknown): void {
    this.#closing.push(close);
  }

  async close(): Promise<void> {
    for (const wire of this.#wires.values()) wire.close();
    // A boot that was refused has left no server.
    const closing = (this.server as McpServer | undefined)?.close(0);
    await this.clock.advance(0);
    await closing;
    for (const close of this.#closing.reverse()) await close();
  }
}

/** What a caller learns of an answer. */
export function reached({ result, error }: Answer, sign: string = MARK): Reached {
  const text = JSON.stringify(result ?? error);
  return { isReached: result !== undefined && result['isError'] !== true && text.includes(sign), text };
}
