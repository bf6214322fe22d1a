import type { ParentCall, TaskStart, WrittenText } from '../base/request-context.js';
import type { ActiveCall } from '../call/active-call.js';
import type { BoundTool } from '../call/operation/operation.js';
import { DerivedRequest } from './derived-request.js';
import type { InnerInput } from './inner-input.js';

/** The request of a call that a package makes inside of another one. Its caller is that of the call around it. */
export class InnerRequest extends DerivedRequest {
  /** Progress is that of the call around it. */
  readonly progressToken = undefined;
  readonly parent: ParentCall;
  readonly task: TaskStart | undefined;
  written: WrittenText | undefined;

  constructor(
    private readonly outer: ActiveCall,
    tool: BoundTool,
    readonly input: InnerInput,
  ) {
    super(outer.request);
    this.parent = { callId: outer.trail?.callId, number: outer.recorder?.number };
    this.task = tool.task && new AwaitedTask();
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
