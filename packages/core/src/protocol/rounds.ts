import { randomBytes } from 'node:crypto';
import type { BoundOperation, MaybePromise } from '../pipeline/operation.js';
import { InputRequired } from '../pipeline/input-required.js';
import { operationKey } from '../pipeline/operation-key.js';
import type { ClaimStore } from '../ports/claim-store.js';
import type { Clock } from '../ports/clock.js';
import { digest } from './digest.js';
import type { Incoming } from './incoming.js';
import { isJsonObject, type JsonObject } from './json-rpc.js';
import { FIRST_ROUND, ModernInput, type RoundInput } from './modern-input.js';
import { principalKey } from './principal-key.js';
import { invalidParams } from './protocol-errors.js';
import { invalidState, RequestStateSeal } from './request-state.js';

/** What is sealed: enough to prove that this client asked this of us, and what the call knows so far. */
interface SealedRound {
  operation: string;
  arguments: string;
  principal: string;
  expires: number;
  nonce: string;
  asked: string[];
  /** The round that handed it out had come no further than the one before. */
  stalled: boolean;
  answers: [string, JsonObject][];
  memories: [string, unknown][];
}

type Runnable = BoundOperation;

export interface RoundCall<R> {
  operation: Runnable;
  /** What the request is about, beside the operation's name. */
  args: JsonObject;
  run(): MaybePromise<R | InputRequired>;
  encode(result: R): string;
}

/** Multi-round-trip requests (2026-07-28 basic/patterns/mrtr): calls that end with a question and go on with its answer. */
export class Rounds {
  readonly #seal: RequestStateSeal;

  constructor(
    secrets: readonly string[],
    private readonly ttlMs: number,
    private readonly claims: ClaimStore,
    private readonly clock: Clock,
  ) {
    this.#seal = new RequestStateSeal(secrets);
  }

  /** Runs one round, the first or a later one, and gives its result or its questions as JSON. */
  run<R>(incoming: Incoming, call: RoundCall<R>): MaybePromise<string> {
    const { params, codec } = incoming;
    const first =
      codec.era === 'legacy' ||
      (params['requestState'] === undefined && params['inputResponses'] === undefined);
    return first ? this.#finish(incoming, call, call.run()) : this.#resume(incoming, call);
  }

  async #resume<R>(incoming: Incoming, call: RoundCall<R>): Promise<string> {
    const { request } = incoming;
    const { round, nonce } = this.#open(incoming, call);
    // What runs twice must not act twice; readers and idempotent tools may be retried freely.
    const claim = nonce !== undefined && !isRepeatable(call.operation) ? `request-state:${nonce}` : undefined;
    if (claim && !(await this.claims.claim(claim, this.ttlMs))) throw invalidState();
    // One state pays for one round: else a caller could have the same work done again and again for the price of once.
    const paid =
      round.paid && nonce !== undefined && (await this.claims.claim(`paid-round:${nonce}`, this.ttlMs));
    const input = new ModernInput(request.client.capabilities, { ...round, paid });
    request.input = input;
    const text = await this.#finish(incoming, call, call.run());
    // A round that only asked (again) has done nothing: its state stays good for another try.
    if (claim && input.pending.size > 0 && !input.remembersMore) await this.claims.release(claim);
    return text;
  }

  #open<R>(
    { params, request }: Incoming,
    { operation, args }: RoundCall<R>,
  ): { round: RoundInput; nonce?: string } {
    const { requestState, inputResponses: responses = {} } = params;
    if (!isJsonObject(responses)) throw invalidParams('"inputResponses" must be an object.');
    const solicitedOnly = operation.kind === 'tool' && operation.annotations.destructiveHint === true;
    if (requestState === undefined) return { round: { ...FIRST_ROUND, responses, solicitedOnly } };
    if (typeof requestState !== 'string') throw invalidState();
    const sealed = this.#seal.open(requestState) as SealedRound;
    const fits =
      sealed.expires > this.clock.now() &&
      sealed.operation === operationKey(operation) &&
      sealed.principal === principalKey(request.principal) &&
      sealed.arguments === digest(args);
    if (!fits) throw invalidState();
    const round: RoundInput = {
      answers: new Map(sealed.answers),
      memories: new Map(sealed.memories),
      asked: new Set(sealed.asked),
      responses,
      resumed: true,
      paid: !sealed.stalled,
      solicitedOnly,
    };
    return { round, nonce: sealed.nonce };
  }

  #finish<R>(
    incoming: Incoming,
    call: RoundCall<R>,
    outcome: MaybePromise<R | InputRequired>,
  ): MaybePromise<string> {
    if (outcome instanceof Promise) return outcome.then((settled) => this.#finish(incoming, call, settled));
    return outcome instanceof InputRequired ? this.#question(incoming, call, outcome) : call.encode(outcome);
  }

  #question<R>(
    { codec, request }: Incoming,
    { operation, args }: RoundCall<R>,
    { pending }: InputRequired,
  ): string {
    const input = request.input as ModernInput;
    const sealed: SealedRound = {
      operation: operationKey(operation),
      arguments: digest(args),
      principal: principalKey(request.principal),
      expires: this.clock.now() + this.ttlMs,
      nonce: randomBytes(16).toString('base64url'),
      asked: [...pending.keys()],
      stalled: input.resumed && !input.isFurther,
      answers: [...input.answers],
      memories: [...input.memories],
    };
    return codec.result({
      resultType: 'input_required',
      inputRequests: Object.fromEntries(pending),
      requestState: this.#seal.seal(sealed),
    });
  }
}

function isRepeatable(operation: Runnable): boolean {
  if (operation.kind !== 'tool') return true;
  return operation.annotations.readOnlyHint === true || operation.annotations.idempotentHint === true;
}
