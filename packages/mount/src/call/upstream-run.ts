import { randomUUID } from 'node:crypto';
import { type Clock, monotonic } from '@toolwright/core/ports';
import { PARTIAL } from '@toolwright/core/transport';
import { BUDGET } from '../budget.js';
import { MountError } from '../errors.js';
import type { UpstreamResult } from '../session/upstream-session.js';
import type { CallInFlight } from '../upstream/scope.js';
import type { Round } from './round.js';

type Params = Record<string, unknown>;

interface Question {
  readonly key: string;
  readonly method: string;
  readonly params: Params;
  resolve(answer: Params): void;
  reject(error: unknown): void;
}

/** Progress of a server behind. A server of this framework sends a part of the result with it. */
interface UpstreamProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export function tooManyQuestions(): MountError {
  return new MountError('TW_MOUNT_ANSWER', 'The server behind this tool asks too many questions.');
}

/** Questions of one moment come one after another, and a client should get them together. A person does not notice. */
const GATHER_MS = 25;

/** Holds runs whose client has gone to fetch an answer. */
export interface Parking {
  add(id: string, run: UpstreamRun): void;
}

/**
 * One request to a server behind, from its beginning to its result. It outlives the round of the client that began it:
 * a server with sessions waits for an answer, while a client of 2026-07-28 comes back with it in a request of its own.
 */
export class UpstreamRun implements CallInFlight {
  readonly #id = randomUUID();
  readonly #abort = new AbortController();
  readonly #open = new Set<Question>();
  #result!: Promise<UpstreamResult>;
  #round: Round;
  #leave: () => void;
  #asked = 0;
  #wake: (() => void) | undefined;
  #stopClock: (() => void) | undefined;
  #leftMs: number;
  #startedAt = 0;
  #isOver = false;

  constructor(
    readonly caller: string,
    round: Round,
    private readonly clock: Clock,
    { answerMs, token }: { answerMs: number; token: string | undefined },
  ) {
    this.token = token;
    this.#leftMs = answerMs;
    this.#round = round;
    this.#leave = this.#follow(round);
  }

  readonly token: string | undefined;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether it has asked its client something. Such a call is never repeated. */
  get hasAsked(): boolean {
    return this.#asked > 0;
  }

  /** @param send sends the request, and returns what it was answered with */
  start(send: () => Promise<UpstreamResult>): void {
    this.#startClock();
    this.#result = send().catch((error: unknown) => {
      // The SDK says only that it was aborted.
      throw this.#abort.signal.aborted ? this.#abort.signal.reason : error;
    });
    this.#result.then(
      () => this.#end(),
      () => this.#end(),
    );
  }

  /** The client has come back, with an answer. */
  join(round: Round): void {
    this.#round = round;
    this.#leave = this.#follow(round);
  }

  /**
   * The result. Where questions end a round, they are asked here, and the run waits for the next round.
   *
   * @throws when the round ends with a question
   */
  async result(parking: Parking): Promise<UpstreamResult> {
    for (;;) {
      if (this.#open.size > 0) {
        await new Promise<void>((resolve) => this.clock.after(GATHER_MS, resolve));
        await this.#askAll(parking);
      }
      const arrived = new Promise<undefined>((resolve) => (this.#wake = () => resolve(undefined)));
      if (this.#open.size > 0) continue;
      const result = await Promise.race([this.#result, arrived]);
      if (result) return result;
    }
  }

  async ask(method: string, params: Params): Promise<Params> {
    if (++this.#asked > BUDGET.questions) throw tooManyQuestions();
    const key = `mounted-${this.#asked}`;
    this.#pauseClock();
    try {
      if (!this.#round.endsWithQuestions) return await this.#round.ask(key, method, params);
      return await new Promise<Params>((resolve, reject) => {
        this.#open.add({ key, method, params, resolve, reject });
        this.#wake?.();
      });
    } finally {
      this.#startClock();
    }
  }

  log(params: Params): void {
    this.#round.log(params);
  }

  progress({ progress, total, message, _meta }: UpstreamProgress): void {
    this.#round.context.progress(progress, total, message, _meta?.[PARTIAL]);
  }

  cancel(reason: unknown): void {
    this.#abort.abort(reason);
    for (const { reject } of this.#open) reject(reason);
    this.#open.clear();
  }

  async #askAll(parking: Parking): Promise<void> {
    const round = this.#round;
    const asked = [...this.#open].map(async (question) => {
      try {
        const answer = await round.ask(question.key, question.method, question.params);
        this.#open.delete(question);
        question.resolve(answer);
      } catch (error) {
        if (round.isPending) throw error;
        this.#open.delete(question);
        question.reject(error);
      }
    });
    const failed = (await Promise.allSettled(asked)).find(({ status }) => status === 'rejected');
    if (!failed || !round.isPending) return;
    this.#leave();
    round.remember(PARKED, this.#id);
    parking.add(this.#id, this);
    throw (failed as PromiseRejectedResult).reason;
  }

  #follow({ context: { signal } }: Round): () => void {
    const onAbort = () => this.cancel(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  }

  #startClock(): void {
    if (this.#stopClock || this.#isOver || this.#open.size > 0) return;
    this.#startedAt = monotonic(this.clock);
    this.#stopClock = this.clock.after(this.#leftMs, () =>
      this.cancel(
        new MountError('TW_MOUNT_ANSWER', 'The server behind this tool did not answer in time.', {
          retryable: true,
        }),
      ),
    );
  }

  /** The time that a person needs does not count. */
  #pauseClock(): void {
    if (!this.#stopClock) return;
    this.#stopClock();
    this.#stopClock = undefined;
    this.#leftMs -= monotonic(this.clock) - this.#startedAt;
  }

  #end(): void {
    this.#isOver = true;
    this.#pauseClock();
    this.#leave();
  }
}

/** The key under which a call keeps the id of its run from round to round. It is sealed. */
export const PARKED = 'mounted.run';
