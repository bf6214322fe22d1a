import { InputPending } from '../../call/context/rounds.js';
import {
  capabilitiesOf,
  declares,
  missingCapability,
  readAnswer,
  requiredCapabilities,
} from './client-questions.js';
import type { Features } from '../../wire/revision-record.js';
import type { JsonObject } from '../../wire/json-rpc.js';
import type { AskMode, ClientInput, ClientMethod } from '../../base/request-context.js';

export interface Question {
  method: ClientMethod;
  params: JsonObject;
}

/** What earlier rounds of a call left behind, and what the client sent with this round. */
export interface RoundInput {
  /** The answers of earlier rounds, from the sealed state. */
  answers: ReadonlyMap<string, JsonObject>;
  /** The values of `remember`, from the sealed state. */
  memories: ReadonlyMap<string, unknown>;
  /** The keys of questions in earlier rounds, from the sealed state. */
  asked: ReadonlySet<string>;
  /** The client's `inputResponses`, not checked yet. */
  responses: JsonObject;
  resumed: boolean;
  /** See `ClientInput`. */
  paid: boolean;
}

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();
export const FIRST_ROUND: RoundInput = {
  answers: NOTHING,
  memories: NOTHING,
  asked: new Set(),
  responses: {},
  resumed: false,
  paid: false,
};

/** Questions on 2026-07-28: either the answer is already there, or the round ends with the question. */
export class StatelessInput implements ClientInput {
  #pending: Map<string, Question> | undefined;
  #answers: Map<string, JsonObject> | undefined;
  #memories: Map<string, unknown> | undefined;

  constructor(
    private readonly capabilities: Readonly<Record<string, unknown>>,
    private readonly features: Features,
    private readonly round: RoundInput = FIRST_ROUND,
  ) {}

  get pending(): ReadonlyMap<string, Question> {
    return this.#pending ?? NOTHING;
  }
  get answers(): ReadonlyMap<string, JsonObject> {
    return this.#answers ?? this.round.answers;
  }
  get memories(): ReadonlyMap<string, unknown> {
    return this.#memories ?? this.round.memories;
  }
  get resumed(): boolean {
    return this.round.resumed;
  }
  get paid(): boolean {
    return this.round.paid;
  }
  /** True when this round got an answer or did something, so that the next round continues from there. */
  get isFurther(): boolean {
    return this.answers.size > this.round.answers.size || this.remembersMore;
  }
  /** True when this round did something that must not be done again. */
  get remembersMore(): boolean {
    return this.memories.size > this.round.memories.size;
  }

  supports(method: ClientMethod, mode: AskMode = 'form'): boolean {
    return declares(this.capabilities, capabilitiesOf(method, mode), this.features);
  }

  ask(key: string, method: ClientMethod, params: JsonObject): Promise<JsonObject> {
    const required = requiredCapabilities(method, params);
    if (!declares(this.capabilities, required, this.features))
      return Promise.reject(missingCapability(required));
    const answer = this.answers.get(key) ?? this.#takeResponse(key, { method, params });
    if (answer) return Promise.resolve(answer);
    (this.#pending ??= new Map()).set(key, { method, params });
    return Promise.reject(new InputPending(key));
  }

  recall(key: string): { value: unknown } | undefined {
    return this.memories.has(key) ? { value: this.memories.get(key) } : undefined;
  }

  remember(key: string, value: unknown): void {
    (this.#memories ??= new Map(this.round.memories)).set(key, value);
  }

  /**
   * Only a question of an earlier round can have an answer. Only own keys count, because a `__proto__` member
   * is data. A question whose answer does not fit is asked again.
   */
  #takeResponse(key: string, { method, params }: Question): JsonObject | undefined {
    const { responses, asked } = this.round;
    if (!asked.has(key) || !Object.hasOwn(responses, key)) return undefined;
    const answer = readAnswer(method, params, responses[key]);
    if (answer) (this.#answers ??= new Map(this.round.answers)).set(key, answer);
    return answer;
  }
}
