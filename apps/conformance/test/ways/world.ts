import {
  createMcpServer,
  type McpServer,
  type Principal,
  type ServerOptions,
  type ToolContext,
} from '@toolwright/core';
import type { CallTrace, ObservedMessage, ToolDefinition } from '@toolwright/core/operate';
import type { AuditEvent, Clock } from '@toolwright/core/ports';
import { FakeClock } from '../../../../packages/core/test/support/fake-clock.js';
import { Gates } from '../../../../packages/core/test/support/gates.js';
import { MARK, NAME } from './marks.js';
import { type Does, type Fact, must, type Reached, type Use, type Who } from './table.js';
import { type Answer, type Era, type Json, Wire } from './wire.js';

/** What a judge wants of the operation, and of its server. Everything has a default. */
export interface Preparation {
  readonly options?: Partial<ServerOptions>;
  readonly uses?: readonly Use[];
  /** Members of the tool's definition. */
  readonly definition?: Json;
  /** The schema of the argument `of`. */
  readonly of?: Json;
  /** How decorated methods get the argument `of`. */
  readonly revive?: Json;
  readonly output?: Json;
  /** What the caller sends. Default: `{ of: 'x' }`. */
  readonly args?: Json;
  /** What the caller sends beside the parameters of the method, by mistake. */
  readonly stray?: Json;
  /** The method of the author. Default: it returns the mark. */
  run?(args: Json, ctx: ToolContext): unknown;
  /** Is called when the server is there, before the operation is added. */
  started?(world: World): unknown;
}

/** A way to an operation. */
export interface Way {
  readonly name: string;
  readonly does: Does;
  /** The kind of the operation. */
  readonly kind: 'tool' | 'prompt' | 'resource' | 'resourceTemplate';
  readonly eras: readonly Era[];
  /** The methods of the protocol that it sends. */
  readonly methods: readonly string[];
  readonly has: ReadonlySet<Fact>;
  readonly options?: Partial<ServerOptions>;
  /** The results are long, so that there is a rest. */
  readonly isLong?: boolean;
  /** Its operation is a decorated method. */
  readonly isDecorated?: boolean;
  /** The call waits on a queue until there is a slot. */
  readonly isQueued?: boolean;
  /** The tool asks a question of its own before it does anything. */
  readonly asksItself?: boolean;
  /** A program calls the tool. */
  readonly isInner?: boolean;
  /** Options that the server boots with, such as services and stores. */
  services?(world: World): Partial<ServerOptions>;
  /** Adds the operation. */
  place?(world: World): unknown;
  /** What has to be done before the way is gone. Its result is what the way goes on with. */
  begin?(world: World, who: Who): Promise<unknown>;
  reach(world: World, who: Who, begun: unknown): Promise<Reached>;
  /** Reaches it, and then asks a question in the same call. */
  reachAndAsk?(world: World): Promise<Reached>;
}

/** Something that judges or watches calls. */
export interface Judge {
  readonly name: string;
  /** The guards and observers of the code that it speaks for. */
  readonly covers: readonly string[];
  readonly needs?: readonly Fact[];
  /** Why it judges no calls of programs: what it is about belongs to the call around them. */
  readonly outside?: string;
  prepare(world: World): Preparation;
  /** @throws when the judge does not do on this way what it does on all others */
  check(world: World): Promise<void>;
}

const ann: Principal = {
  issuer: 'https://login.example.com',
  subject: 'ann',
  clientId: 'app',
  tenant: 'acme',
  scopes: ['use'],
};
const people: Readonly<Record<Who, Principal>> = {
  ann,
  plain: ann,
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
      name: 'ways',
      version: '1',
      services: [],
      rateLimit: false,
      concurrency: false,
      timeout: false,
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
