import { randomUUID } from 'node:crypto';
import { JsonRpcCode, ProtocolError } from '@toolwright/ground/base/errors/errors';
import { type InputRequired, SO_FAR } from '@toolwright/ground/call/context/rounds';
import { Outage } from '@toolwright/ground/call/limits/timed-store';
import { principalKey } from '@toolwright/ground/call/operation/keys';
import { exactKey } from '@toolwright/ground/call/operation/names';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import { claimLifetime } from '@toolwright/ground/ports/claim-store';
import { keepNewest, sealingSecrets, type MaybePromise, after, Seal, digest } from '@toolwright/json';
import { type JsonObject, isJsonObject } from '@toolwright/wire/json-rpc';
import { writeQuestions } from '@toolwright/wire/methods';
import { invalidParams } from '@toolwright/wire/protocol-errors';
import { type ActiveRequest, type CallRounds, type RoundCall, runRound } from './active-request.js';
import { StatelessInput } from './client-questions.js';
import type { ProtocolHost } from './engine.js';
import { quotaOwnerOf } from './quota-pool.js';

/** The longest state that a client may bring, in characters. */
const MAX_STATE = 512 * 1024;

/**
 * The sealed content. It proves that this server asked this client this question, and holds what the call
 * knows so far.
 */
interface SealedRound {
  /**
   * The server that asked. Servers may share their secrets, but a question of one is not a question of
   * another.
   */
  server: string;
  operation: string;
  /** What the operation was published as. Another release may ask other questions. */
  contract: string;
  arguments: string;
  principal: string;
  expires: number;
  nonce: string;
  asked: string[];
  /** True when the round that handed it out made no progress. */
  stalled: boolean;
  answers: [string, JsonObject][];
  memories: [string, unknown][];
}

/**
 * Multi-round-trip requests (2026-07-28 basic/patterns/mrtr): calls that end with a question and continue
 * with its answer.
 *
 * An answer counts only for a question that this server asked in this very call, and only once. The sealed
 * state is the proof. Answers without a state are ignored. A round that brings a state back uses it up, even
 * if the round fails.
 */
export class Rounds implements CallRounds {
  readonly #seal: Seal;
  readonly #outage: Outage;
  /** What calls of this process have done whose answer may have got lost, by the nonce of the state that they used up. */
  readonly #done = new Map<string, string>();

  constructor(private readonly host: ProtocolHost) {
    this.#seal = new Seal(sealingSecrets(host), 'request state', {
      maxLength: MAX_STATE,
      logger: host.logger,
    });
    this.#outage = new Outage('claim store', host.logger, 'calls that wait for their client are refused');
  }

  /** Runs a later round. Returns its result or its questions as JSON. */
  resume<R>(request: ActiveRequest, call: RoundCall<R>): MaybePromise<string> {
    return after(
      () => this.host.additions.prepareUse(call.operation, request),
      () => this.#resumeIfVisible(request, call),
    );
  }

  #resumeIfVisible<R>(request: ActiveRequest, call: RoundCall<R>): MaybePromise<string> {
    const { requestState, inputResponses } = request.params;
    // For an operation that is hidden from the caller, the answer is always "unknown", whatever the request
    // contains.
    const isVisible = call.isVisible?.() ?? this.host.registry.visible(call.operation, request.principal);
    if (!isVisible) return runRound(request, call);
    if (inputResponses !== undefined && !isJsonObject(inputResponses))
      throw invalidParams('"inputResponses" must be an object.');
    // Without a state, no question was asked. The call starts again, and the answers in the request are
    // ignored.
    if (requestState === undefined) return runRound(request, call);
    return this.#resume(request, call, this.#open(request, call));
  }

  async #resume<R>(request: ActiveRequest, call: RoundCall<R>, sealed: SealedRound): Promise<string> {
    await this.#useUp(request, sealed);
    const { params } = request;
    const input = new StatelessInput(request.client.capabilities, request.codec.features, {
      answers: new Map(sealed.answers),
      memories: new Map(sealed.memories),
      asked: new Set(sealed.asked),
      responses: (params['inputResponses'] ?? {}) as JsonObject,
      resumed: true,
      paid: !sealed.stalled,
    });
    request.input = input;
    try {
      return await runRound(request, call);
    } finally {
      const done = input.recall(SO_FAR)?.value;
      if (done !== undefined) keepNewest(this.#done, sealed.nonce, done as string, MOST_DONE);
    }
  }

  /** Opens the state of the request, if this server sealed it for this very call and it has not expired. */
  #open<R>(request: ActiveRequest, { operation, args }: RoundCall<R>): SealedRound {
    const { params } = request;
    const { requestState } = params;
    const sealed = typeof requestState === 'string' ? this.#seal.open(requestState) : undefined;
    if (!isJsonObject(sealed)) throw this.#refuse(request, 'forged');
    const round = sealed as unknown as SealedRound;
    if (round.principal !== principalKey(request.principal)) throw this.#refuse(request, 'stolen');
    const isOfThisCall =
      round.server === this.host.info.name &&
      round.operation === exactKey(operation) &&
      round.arguments === digest(args);
    if (!isOfThisCall) throw this.#refuse(request, 'misplaced');
    const soFar = memoryOf(round, SO_FAR);
    if (round.contract !== contractOf(operation)) throw this.#refuse(request, 'outdated', soFar);
    if (round.expires <= this.host.clock.now()) throw this.#refuse(request, 'expired', soFar);
    return round;
  }

  /**
   * Uses up a state. If two requests bring the same state, at most one of them passes. While the claim store
   * does not answer, none passes.
   */
  async #useUp(request: ActiveRequest, sealed: SealedRound): Promise<void> {
    const { nonce, expires } = sealed;
    const { claims, clock } = this.host;
    const isFirst = await this.#outage.ask(() =>
      claims.claim(`request-state:${nonce}`, claimLifetime(expires, clock), quotaOwnerOf(request)),
    );
    if (!isFirst)
      // While it is not known whether a state was used, it could be used twice.
      throw new ProtocolError(
        JsonRpcCode.internalError,
        'This server cannot check right now whether the requestState was used before, so nothing was done. Try again later.',
        { reason: 'request_state_unverifiable' },
      );
    if (isFirst.value) return;
    const before = memoryOf(sealed, SO_FAR);
    const done = this.#done.get(nonce) ?? (before && `${before} ${MORE_UNKNOWN}`);
    throw this.#refuse(request, 'used', done);
  }

  /**
   * Every refused state is recorded here. All have the same answer: different answers would only help an attacker. The caller
   * whose own state it is also reads what its call has done, because that stays done.
   */
  #refuse(request: ActiveRequest, failure: StateFailure, done?: string): ProtocolError {
    request.refusal = { reason: 'TW_STATE_INVALID', detail: failure };
    const message = `Invalid or expired requestState. Start the request again.${done === undefined ? '' : ` ${done}`}`;
    return invalidParams(message, { reason: 'invalid_request_state' });
  }

  /** Ends a round with its questions, as JSON. */
  question<R>(
    { codec, input: asked, principal }: ActiveRequest,
    { operation, args }: RoundCall<R>,
    { pending }: InputRequired,
  ): string {
    const input = asked as StatelessInput;
    const sealed: SealedRound = {
      server: this.host.info.name,
      operation: exactKey(operation),
      contract: contractOf(operation),
      arguments: digest(args),
      principal: principalKey(principal),
      expires: this.host.clock.now() + this.host.answerMs,
      nonce: randomUUID(),
      asked: [...pending.keys()],
      stalled: input.resumed && !input.isFurther,
      answers: [...input.answers],
      memories: [...input.memories],
    };
    return codec.result({
      resultType: 'input_required',
      inputRequests: writeQuestions(codec.names, pending),
      requestState: this.#seal.seal(sealed),
    });
  }
}

function contractOf(operation: BoundOperation): string {
  return 'contract' in operation ? operation.contract : '';
}

/**
 * Why a state is refused.
 * - `forged`: this server did not seal it, or somebody changed it
 * - `stolen`: it was sealed for another principal
 * - `misplaced`: it was sealed for another operation, or for other arguments
 * - `outdated`: the operation has another contract now: a release has changed it meanwhile
 * - `expired`: the client took too long
 * - `used`: an earlier request has already brought it
 */
type StateFailure = 'forged' | 'stolen' | 'misplaced' | 'outdated' | 'expired' | 'used';

function memoryOf({ memories }: SealedRound, key: string): string | undefined {
  return memories.find(([each]) => each === key)?.[1] as string | undefined;
}

/** Beside what is known from the state: the round that used it up ran elsewhere, or still runs. */
const MORE_UNKNOWN = 'What it did after the answer is not known here.';

/** The most calls of which a process knows what they have done. */
const MOST_DONE = 1_000;
