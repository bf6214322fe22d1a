import { getOrMake } from '@toolwright/json';
import { TaskHandedOver } from '../call/context/rounds.js';
import {
  declares,
  missingCapability,
  readAnswer,
  requiredCapabilities,
  NOTHING,
} from '../requests/client-questions.js';
import type { Features } from '../wire/revision-record.js';
import type { JsonObject } from '../wire/json-rpc.js';
import type { AskMode, ClientInput, ClientMethod, RequestContext } from '../base/request-context.js';

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
