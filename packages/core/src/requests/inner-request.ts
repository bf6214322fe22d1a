import type {
  ParentCall,
  RequestContext,
  TaskStart,
  TraceContext,
  WrittenText,
} from '../base/request-context.js';
import type { ActiveCall } from '../call/active-call.js';
import type { BoundTool } from '../call/operation/operation.js';
import type { InnerInput } from './inner-input.js';

/** The request of a call that a package makes inside of another one. Its caller is that of the call around it. */
export class InnerRequest implements RequestContext {
  /** Progress is that of the call around it. */
  readonly progressToken = undefined;
  readonly parent: ParentCall;
  readonly task: TaskStart | undefined;
  trace: TraceContext;
  written: WrittenText | undefined;

  constructor(
    private readonly outer: ActiveCall,
    tool: BoundTool,
    readonly input: InnerInput,
  ) {
    this.parent = { callId: outer.trail?.callId, number: outer.recorder?.number };
    this.task = tool.task && new AwaitedTask();
    this.trace = outer.request.trace;
  }

  get id() {
    return this.outer.request.id;
  }
  get era() {
    return this.outer.request.era;
  }
  get revision() {
    return this.outer.request.revision;
  }
  get principal() {
    return this.outer.request.principal;
  }
  get client() {
    return this.outer.request.client;
  }
  get logLevel() {
    return this.outer.request.logLevel;
  }
  get ip() {
    return this.outer.request.ip;
  }
  get transport() {
    return this.outer.request.transport;
  }
  get session() {
    return this.outer.request.session;
  }
  get isUnverified(): boolean {
    return this.outer.request.isUnverified === true;
  }
  /** Aborted with the call around it: when its caller cancels it, and at its deadline. */
  get signal(): AbortSignal {
    return this.outer.signal;
  }

  notify(method: string, params: Record<string, unknown>): void {
    if (method === 'notifications/message') this.outer.request.notify(method, params);
  }
}

/** Lets a tool with tasks run to its end: the call around it waits for the result. */
class AwaitedTask implements TaskStart {
  started = false;
  readonly #listeners: (() => void)[] = [];

  async start(): Promise<void> {
    if (this.started) return;
    this.started = true;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  onStart(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
