import type { MaybePromise } from '../../base/maybe-promise.js';
import { randomBytes } from 'node:crypto';
import type { BoundOperation } from '../../call/operation/operation.js';
import type { ProtocolError } from '../../base/errors/protocol-error.js';
import { InputRequired } from '../../call/context/input-required.js';
import { operationKey } from '../../call/operation/operation-key.js';
import { digest } from '../../base/digest.js';
import type { Incoming } from '../requests/incoming.js';
import { isJsonObject, type JsonObject } from '../messages/json-rpc.js';
import { StatelessInput } from './stateless-input.js';
import { principalKey } from '../sessions/principal-key.js';
import type { ProtocolHost } from '../protocol-host.js';
import { invalidParams } from '../messages/protocol-errors.js';
import type { ProtocolSettings } from '../protocol-options.js';
import { RequestStateSeal } from './request-state.js';
import { invalidState, unverifiableState, type StateFault } from './state-fault.js';

/** What is sealed: enough to prove that this server asked this client this, and what the call knows so far. */
interface SealedRound {
  /** Servers may share their secrets; a question of one is not a question of the other. */
  server: string;
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

export interface RoundCall<R> {
  operation: BoundOperation;
  /** What the request is about, beside the operation's name. */
  args: JsonObject;
  /** Sets `begun`: from then on the operation's own audit tells how the request ends. */
  run(): MaybePromise<R | InputRequired>;
  encode(result: R): string;
}

/**
 * Multi-round-trip requests (2026-07-28 basic/patterns/mrtr): calls that end with a question and go on with its answer.
 *
 * An answer counts for what this server asked, in this very call, once. The sealed state is the proof: answers without
 * one are not looked at, and a state is used up by the round that brings it back, whatever comes of that round.
 */
export class Rounds {
  readonly #seal: RequestStateSeal;

  constructor(
    private readonly host: ProtocolHost,
    private readonly settings: Pick<ProtocolSettings, 'stateSecrets' | 'stateTtlMs'>,
  ) {
    this.#seal = new RequestStateSeal(settings.stateSecrets);
  }

  /** True for a request that goes on with a call: it brings answers, a state, or both. Stateful clients bring neither. */
  isLater({ params, codec }: Incoming): boolean {
    const isPlain = params['requestState'] === undefined && params['inputResponses'] === undefined;
    return !isPlain && codec.era === 'stateless';
  }

  /** Runs a later round, and gives its result or its questions as JSON. */
  resume<R>(incoming: Incoming, call: RoundCall<R>): MaybePromise<string> {
    const { requestState, inputResponses } = incoming.params;
    // What the caller may not know of is answered as unknown, whatever came with it.
    if (!this.host.registry.visible(call.operation, incoming.request.principal))
      return this.#run(incoming, call);
    if (inputResponses !== undefined && !isJsonObject(inputResponses))
      throw invalidParams('"inputResponses" must be an object.');
    // Without a state nobody was asked anything: the round begins anew, and what came with it answers nothing.
    if (requestState === undefined) return this.#run(incoming, call);
    return this.#resume(incoming, call, this.#open(incoming, call));
  }

  /** Gives the result of a round, or its questions, as JSON. */
  finish<R>(
    incoming: Incoming,
    call: RoundCall<R>,
    outcome: MaybePromise<R | InputRequired>,
  ): MaybePromise<string> {
    if (outcome instanceof Promise) return outcome.then((settled) => this.finish(incoming, call, settled));
    return outcome instanceof InputRequired ? this.#question(incoming, call, outcome) : call.encode(outcome);
  }

  #run<R>(incoming: Incoming, call: RoundCall<R>): MaybePromise<string> {
    return this.finish(incoming, call, call.run());
  }

  async #resume<R>(incoming: Incoming, call: RoundCall<R>, sealed: SealedRound): Promise<string> {
    await this.#useUp(incoming, sealed);
    const { params, request } = incoming;
    request.input = new StatelessInput(request.client.capabilities, incoming.codec.features, {
      answers: new Map(sealed.answers),
      memories: new Map(sealed.memories),
      asked: new Set(sealed.asked),
      responses: (params['inputResponses'] ?? {}) as JsonObject,
      resumed: true,
      paid: !sealed.stalled,
    });
    return this.#run(incoming, call);
  }

  /** The state of the request, if this server sealed it for this very call and its time has not passed. */
  #open<R>(incoming: Incoming, { operation, args }: RoundCall<R>): SealedRound {
    const { params, request } = incoming;
    const { requestState } = params;
    const sealed = typeof requestState === 'string' ? this.#seal.open(requestState) : undefined;
    if (!isJsonObject(sealed)) throw this.#refuse(incoming, 'forged');
    const round = sealed as unknown as SealedRound;
    if (round.principal !== principalKey(request.principal)) throw this.#refuse(incoming, 'stolen');
    const isOfThisCall =
      round.server === this.host.info.name &&
      round.operation === operationKey(operation) &&
      round.arguments === digest(args);
    if (!isOfThisCall) throw this.#refuse(incoming, 'misplaced');
    if (round.expires <= this.host.clock.now()) throw this.#refuse(incoming, 'expired');
    return round;
  }

  /** Of two requests with one state, at most one gets past here. While nobody can tell, none does. */
  async #useUp(incoming: Incoming, { nonce, expires }: SealedRound): Promise<void> {
    const { claims, clock, logger } = this.host;
    let isFirst: boolean;
    try {
      isFirst = await claims.claim(`request-state:${nonce}`, expires - clock.now());
    } catch (err) {
      logger.error({ err }, 'The claim store does not answer; calls that wait for their client are refused');
      throw unverifiableState();
    }
    if (!isFirst) throw this.#refuse(incoming, 'used');
  }

  /** Every refused state passes here. */
  #refuse({ request }: Incoming, fault: StateFault): ProtocolError {
    request.refusal = { reason: 'TW_STATE_INVALID', detail: fault };
    return invalidState();
  }

  #question<R>(
    { codec, request }: Incoming,
    { operation, args }: RoundCall<R>,
    { pending }: InputRequired,
  ): string {
    const input = request.input as StatelessInput;
    const sealed: SealedRound = {
      server: this.host.info.name,
      operation: operationKey(operation),
      arguments: digest(args),
      principal: principalKey(request.principal),
      expires: this.host.clock.now() + this.settings.stateTtlMs,
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
