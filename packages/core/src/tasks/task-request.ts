import type { CancellationObserver, TaskStart } from '../base/request-context.js';
import type { ActiveRequest } from '../requests/active-request.js';
import { DerivedRequest, progressNote, TASK_PROGRESS } from '../requests/derived-request.js';
import { TaskHandedOver } from '../call/context/rounds.js';
import { Cancellation } from '../wire/response-channel.js';
import { TaskInput } from './task-input.js';

/** Receives the progress of a call that has become a task. */
export interface TaskStreamWriter {
  /** True when a queue hands out the work. */
  readonly isQueued: boolean;
  begin(): Promise<void>;
  note(statusMessage: string): void;
}

/**
 * A `tools/call` that may become a task. Until it does, it is the request itself; afterwards it is
 * independent. From then on nothing of the request affects it. A disconnect of the client must not cancel a
 * task, and there is no way to send notifications.
 */
export class TaskRequest extends DerivedRequest implements TaskStart, CancellationObserver {
  readonly input: TaskInput;
  override readonly cancellation = new Cancellation();
  readonly #listeners: (() => void)[] = [];
  #begun: Promise<void> | undefined;
  started = false;

  constructor(
    private readonly request: ActiveRequest,
    private readonly outlet: TaskStreamWriter,
  ) {
    super(request);
    this.input = new TaskInput(request, request.features);
    this.#follow();
  }

  get task(): TaskStart {
    return this;
  }
  get signal(): AbortSignal {
    return this.cancellation.signal;
  }
  get progressToken() {
    return this.request.progressToken ?? TASK_PROGRESS;
  }
  get isBehind() {
    return !this.started && this.request.isBehind;
  }
  get inexact() {
    return this.request.inexact;
  }
  get isQueued(): boolean {
    return this.outlet.isQueued;
  }
  start(): Promise<void> {
    return (this.#begun ??= this.#start());
  }

  onStart(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Is also called when the request is cancelled before it becomes a task. */
  cancel(reason: unknown): void {
    this.cancellation.abort(reason);
    this.input.close(reason);
  }

  /** The call has ended and did not become a task. */
  release(): void {
    this.request.cancellation.unwatch(this);
  }

  notify(method: string, params: Record<string, unknown>): void {
    const isProgress = method === 'notifications/progress';
    if (!this.started) {
      if (!isProgress || this.request.progressToken !== undefined) this.request.notify(method, params);
    } else if (isProgress) this.outlet.note(progressNote(params));
  }

  async #start(): Promise<void> {
    const { input, cancellation } = this.request;
    if (cancellation.aborted) throw cancellation.reason;
    // Open questions of the round come first: a method that caught their signal must not start a task.
    const [open] = input.pending;
    if (open) await input.ask(open[0], open[1].method, open[1].params);
    this.release();
    try {
      await this.outlet.begin();
    } catch (error) {
      this.#follow();
      throw error;
    }
    if (this.isQueued) {
      this.input.isHandedOver = true;
      throw new TaskHandedOver();
    }
    this.started = true;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  #follow(): void {
    const { cancellation } = this.request;
    if (cancellation.aborted) this.cancel(cancellation.reason);
    else cancellation.watch(this);
  }
}
