import { InputPending } from '../../call/context/input-required.js';
import { readAnswer } from './client-answer.js';
import { capabilitiesOf, declares, missingCapability, requiredCapabilities } from './client-capability.js';
import type { Features } from '../revisions/features.js';
import type { JsonObject } from '../messages/json-rpc.js';
import type { AskMode, ClientInput, ClientMethod } from '../../base/request-context.js';

export interface Question {
  method: ClientMethod;
  params: JsonObject;
}

/** What earlier rounds of a call left behind, and what the client sent with this one. */
export interface RoundInput {
  /** Sealed answers of earlier rounds. */
  answers: ReadonlyMap<string, JsonObject>;
  /** Sealed values of `remember`. */
  memories: ReadonlyMap<string, unknown>;
  /** Keys that earlier rounds asked under, sealed. */
  asked: ReadonlySet<string>;
  /** The client's `inputResponses`, unchecked. */
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

/** Questions of 2026-07-28: an answer is there already, or the round ends with the question. */
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
  /** This round learnt or did something: the next one goes on from there. */
  get isFurther(): boolean {
    return this.answers.size > this.round.answers.size || this.remembersMore;
  }
  /** This round has done something that must not be done again. */
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
   * Only what an earlier round asked has an answer. Own keys only: a `__proto__` member is data. What does not fit the
   * question is asked again.
   */
  #takeResponse(key: string, { method, params }: Question): JsonObject | undefined {
    const { responses, asked } = this.round;
    if (!asked.has(key) || !Object.hasOwn(responses, key)) return undefined;
    const answer = readAnswer(method, params, responses[key]);
    if (answer) (this.#answers ??= new Map(this.round.answers)).set(key, answer);
    return answer;
  }
}
