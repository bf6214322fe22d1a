import { ProtocolError, type RequestContext } from '@toolwright/core';
import {
  type CallRefusal,
  digest,
  type Extension,
  type Guard,
  type ExtensionHost,
  refuseCall,
  type Step,
} from '@toolwright/core/extend';
import { type Duration, optionRules, type OptionSchema, parseOptions } from '@toolwright/core/options';
import { monotonic } from '@toolwright/core/ports';
import { getOrMake } from '@toolwright/json';
import { identityMetrics } from '../metrics.js';
import type { Decide, DecisionInput } from './decision.js';
import './decision-error.js';
import { type Decided, Decisions } from './decisions.js';
import {
  type AskedDecision,
  type CalledOperation,
  type DecidedOperation,
  type DecisionSubject,
  inputOf,
  nameOf,
} from './decision-input.js';
import { SeenOperations } from './seen-operations.js';

const DECISIONS = 'toolwright.server.identity.decisions';

interface CacheOptions {
  /** How long a decision counts. 0: each call asks. */
  for?: Duration;
  max?: number;
}

export interface ExternalDecisionOptions {
  /** Asks the engine: `opa(…)`, `cedar(…)`, `openFga(…)`, or a function of your own. */
  decide: Decide;
  /**
   * How long a decision counts for an equal question, and how many are kept. `false`: each call asks. Default
   * `{ for: '10s', max: 10_000 }`.
   */
  cache?: CacheOptions | false;
  /** How long the engine may take. Then the call is refused. Default 2 seconds. More than 0. */
  timeout?: Duration;
  /** Which operations it decides about. It is asked once for each. Default: all. */
  when?: (operation: DecidedOperation) => boolean;
  /** The claims of tokens that the engine gets. Default: none. */
  claims?: readonly string[];
  /** True hides what the engine does not allow to list. It is then asked about each entry of a list. Default false. */
  hide?: boolean;
}

const { callback, duration, durationFromZero, either, filledText, flag, group, listOf, no, positiveCount } =
  optionRules;

const cacheOptions = {
  for: { ...durationFromZero, default: '10s' },
  max: { ...positiveCount, default: 10_000 },
} satisfies OptionSchema<CacheOptions>;

const decisionOptions = {
  decide: optionRules.required(callback),
  cache: { ...either(group(cacheOptions), no), default: {} },
  timeout: { ...duration, default: '2s' },
  when: callback,
  claims: { ...listOf('a list of names of claims', filledText), default: [] },
  hide: { ...flag, default: false },
} satisfies OptionSchema<ExternalDecisionOptions>;

/** Before what callers must not know of is refused, and behind the audit. */
const LOOKS_AT = 25;
/** Behind the scopes: what the token alone refuses, nobody has to decide. */
const DECIDES_AT = 38;

/** How long a failure of the engine is not logged again, in milliseconds. */
const QUIET_MS = 60_000;

/**
 * Lets a policy engine decide about each call. Nothing runs without its clear yes: a failure, a late answer and an answer
 * without a yes or a no refuse the call.
 *
 * @throws {ConfigurationError} for a wrong option
 * @example
 * await extend(server, externalDecision({ decide: opa({ url: 'http://127.0.0.1:8181', path: 'mcp/allow' }) }));
 */
export function externalDecision(given: ExternalDecisionOptions): Extension {
  const options = parseOptions('externalDecision', decisionOptions, given);
  const cache =
    options.cache && parseOptions('externalDecision.cache', cacheOptions, options.cache as CacheOptions);
  const { decide, timeout, when = () => true, claims, hide } = options;
  return {
    name: '@toolwright/identity decisions',
    hasSettings: true,
    start(host) {
      const decisions = new Decisions({
        decide,
        clock: host.clock,
        timeoutMs: timeout as number,
        cacheMs: cache ? (cache.for as number) : 0,
        maxCached: cache ? cache.max : 1,
      });
      const judge = new Judge(host, decisions, claims);
      const seen = new SeenOperations(host.clock);
      const isDecided = new WeakMap<object, boolean>();
      const concerns = (operation: CalledOperation) => {
        return getOrMake(
          isDecided,
          operation,
          () => when({ ...operation, name: nameOf(operation) }) === true,
        );
      };
      const look = async (operation: CalledOperation, principal: DecisionSubject) =>
        seen.note(operation, principal, (await judge.mayList(operation, principal)) === true);
      const planned = (operation: CalledOperation) =>
        concerns(operation) ? { detail: cache ? 'cached' : 'asked each time', step: judge.step } : undefined;
      const decides: Guard = {
        name: 'decision',
        position: DECIDES_AT,
        summary: 'Asks a policy engine whether the call may run.',
        plan: planned,
        planCompletion: planned,
      };
      const mayWatch = async (operation: CalledOperation, { principal }: RequestContext, uri: string) => {
        const refusal = await judge.refusalOf({ operation, principal, uri });
        if (refusal) throw new ProtocolError(refusal.rpcCode, refusal.text);
      };
      if (!hide)
        return {
          guards: [decides],
          beforeUse: (operation, request, watched) =>
            watched !== undefined && concerns(operation) ? mayWatch(operation, request, watched) : undefined,
        };
      const hides: Guard = {
        name: 'decision about lists',
        position: LOOKS_AT,
        summary: 'Hides what a policy engine does not allow to list.',
        plan: (operation) => (concerns(operation) ? { step: looks } : undefined),
        visible: (operation, principal) => !concerns(operation) || seen.may(operation, principal),
      };
      const looks: Step = async ({ operation, request }, next) => {
        await look(operation, request.principal);
        return next();
      };
      return {
        guards: [hides, decides],
        beforeLists: async (operations, { principal }) => {
          await Promise.all(operations.filter(concerns).map((operation) => look(operation, principal)));
        },
        beforeUse: async (operation, request, watched) => {
          if (!concerns(operation)) return;
          await look(operation, request.principal);
          // A resource that is hidden is answered as if it did not exist.
          if (watched !== undefined && seen.may(operation, request.principal))
            await mayWatch(operation, request, watched);
        },
      };
    },
  };
}

/** Asks about calls and lists, refuses, records and counts. */
class Judge {
  #loggedAt = Number.NEGATIVE_INFINITY;
  readonly #count: (attributes: Record<string, string>) => void;

  constructor(
    private readonly host: ExtensionHost,
    private readonly decisions: Decisions,
    private readonly claims: readonly string[],
  ) {
    const [, unit, description] = identityMetrics[DECISIONS];
    this.#count = host.counter(DECISIONS, { unit, description });
  }

  readonly step: Step = async (call, next) => {
    const { operation, request, arguments: args } = call;
    const { principal, uri } = request;
    const refusal = await this.refusalOf({ operation, principal, uri, args });
    return refusal ? refuseCall(call, refusal) : next();
  };

  /** Asks whether somebody may use something, and records the answer. @returns `undefined` for a yes */
  async refusalOf(asked: Omit<AskedDecision, 'claims'>): Promise<CallRefusal | undefined> {
    const { operation, principal } = asked;
    const input = inputOf('call', { ...asked, claims: this.claims });
    const decided = await this.#decide(input);
    const outcome = decided ? (decided.allow ? 'ok' : 'denied') : 'TW_DECISION_UNAVAILABLE';
    this.host.record({
      operation: 'decision',
      name: nameOf(operation),
      outcome,
      principal,
      fields: {
        kind: operation.kind,
        question: digest(input),
        ...(decided && { source: decided.source }),
        ...(decided?.id !== undefined && { decision: decided.id }),
        ...(decided?.reason !== undefined && { reason: decided.reason }),
      },
    });
    if (decided?.allow) return undefined;
    return decided
      ? {
          outcome: 'denied',
          reason: 'TW_DECISION_DENIED',
          rpcCode: 403,
          text: `You may not call ${operation.name} like this. Ask whoever runs this server.`,
        }
      : {
          outcome: 'denied',
          reason: 'TW_DECISION_UNAVAILABLE',
          rpcCode: 503,
          text: 'Whether you may do this cannot be decided right now, so nothing was done. Try again later.',
        };
  }

  /** @returns `undefined` when nobody could say it */
  async mayList(operation: CalledOperation, principal: DecisionSubject): Promise<boolean | undefined> {
    const decided = await this.#decide(inputOf('list', { operation, principal, claims: this.claims }));
    return decided?.allow;
  }

  async #decide(input: DecisionInput): Promise<Decided | undefined> {
    const { action } = input;
    try {
      const decided = await this.decisions.get(input);
      const outcome = decided.allow ? 'allowed' : 'denied';
      this.#count({ ...countedOf(action, outcome), 'toolwright.decision.source': decided.source });
      return decided;
    } catch (err) {
      this.#count(countedOf(action, 'failed'));
      this.#logFailure(err);
      return undefined;
    }
  }

  #logFailure(err: unknown): void {
    const now = monotonic(this.host.clock);
    if (now - this.#loggedAt < QUIET_MS) return;
    this.#loggedAt = now;
    this.host.logger.error({ err }, 'The policy engine gives no decisions, so calls are refused');
  }
}

const countedOf = (action: string, outcome: string) => ({
  'toolwright.decision.action': action,
  'toolwright.decision.outcome': outcome,
});
