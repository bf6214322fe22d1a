import type {
  CancellationObserver,
  TaskStart,
  AskMode,
  ClientInput,
  ClientMethod,
  RequestContext,
} from '@toolwright/ground/base/request-context';
import { TaskHandedOver } from '@toolwright/ground/call/context/rounds';
import { getOrMake } from '@toolwright/json';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import { Cancellation } from '@toolwright/wire/response-channel';
import type { Features } from '@toolwright/wire/revision-record';
import type { ActiveRequest } from '../requests/active-request.js';
import {
  declares,
  missingCapability,
  readAnswer,
  requiredCapabilities,
  NOTHING,
} from '../requests/client-questions.js';
import { DerivedRequest, progressNote, TASK_PROGRESS } from '../requests/derived-request.js';

/** Receives the progress of a call that has become a task. */
interface TaskStreamWriter {
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

interface Question {
  /** The key that the tool chose. */
  key: string;
  method: ClientMethod;
  params: JsonObject;
  settle: { resolve(answer: JsonObject): void; reject(reason: unknown): void };
}

/** Publishes a question for the client. Returns false when the task has ended. */
type Publish = (key: string, question: { method: string; params: JsonObject }) => Promise<boolean>;

/**
 * The questions of a call that may become a task. Before that, a question ends the round, as in any call
 * (2026-07-28). Afterwards it is part of the task, and the method waits for `tasks/update`.
 */
export class TaskInput implements ClientInput {
  readonly #answers = new Map<string, Promise<JsonObject>>();
  /** The questions by their keys in messages. Each of these keys is used only once in a task. */
  readonly #open = new Map<string, Question>();
  readonly #usedKeys = new Set<string>();
  /** The answers that the call has got before it became a task, by key. */
  readonly given = new Map<string, JsonObject>();
  /** What the call has remembered before it became a task, by key. */
  readonly memories = new Map<string, unknown>();
  /** True when the call has become a task on a queue. From then on, this run has no effect on the task. */
  isHandedOver = false;
  #publish: Publish | undefined;
  #closed: { reason: unknown } | undefined;

  constructor(
    private readonly request: RequestContext,
    private readonly features: Features,
  ) {}

  get pending() {
    return this.#publish ? NOTHING : this.request.input.pending;
  }
  get resumed(): boolean {
    return this.request.input.resumed;
  }
  get paid(): boolean {
    return this.request.input.paid;
  }
  /** True when the method waits for its client. */
  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  supports(method: ClientMethod, mode?: AskMode): boolean {
    return this.request.input.supports(method, mode);
  }

  recall(key: string): { value: unknown } | undefined {
    return this.request.input.recall(key);
  }

  remember(key: string, value: unknown): void {
    this.memories.set(key, value);
    this.request.input.remember(key, value);
  }

  ask(key: string, method: ClientMethod, params: JsonObject): Promise<JsonObject> {
    if (this.isHandedOver) return Promise.reject(new TaskHandedOver());
    if (!this.#publish) return this.#askFirst(key, method, params);
    const required = requiredCapabilities(method, params);
    if (!declares(this.request.client.capabilities, required, this.features))
      return Promise.reject(missingCapability(required));
    const asked = () =>
      new Promise<JsonObject>((resolve, reject) => {
        this.#put({ key, method, params, settle: { resolve, reject } });
      });
    return getOrMake(this.#answers, key, asked);
  }

  /** The call has become a task. */
  open(publish: Publish): void {
    this.#publish = publish;
  }

  /**
   * Takes the client's answers. A question whose answer does not fit is asked again, under a new key, because
   * clients skip keys that they know.
   */
  deliver(answers: Readonly<Record<string, unknown>>): void {
    for (const [key, question] of [...this.#open]) {
      if (!Object.hasOwn(answers, key)) continue;
      this.#open.delete(key);
      const answer = readAnswer(question.method, question.params, answers[key]);
      if (answer) question.settle.resolve(answer);
      else this.#put(question);
    }
  }

  /** Ends the waiting: nobody will answer any more. */
  close(reason: unknown): void {
    this.#closed = { reason };
    for (const { settle } of this.#open.values()) settle.reject(reason);
    this.#open.clear();
  }

  async #askFirst(key: string, method: ClientMethod, params: JsonObject): Promise<JsonObject> {
    const answer = await this.request.input.ask(key, method, params);
    this.given.set(key, answer);
    return answer;
  }

  #put(question: Question): void {
    const { key, method, params, settle } = question;
    if (this.#closed) return settle.reject(this.#closed.reason);
    const wireKey = this.#unusedKey(key);
    this.#open.set(wireKey, question);
    this.#publish!(wireKey, { method, params }).then(
      (isPut) => isPut || settle.reject(new Error('The task has ended.')),
      (error: unknown) => settle.reject(error),
    );
  }

  #unusedKey(key: string): string {
    let unused = key;
    for (let again = 2; this.#usedKeys.has(unused); again++) unused = `${key}~${again}`;
    this.#usedKeys.add(unused);
    return unused;
  }
}
