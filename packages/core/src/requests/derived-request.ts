import type {
  Cancellable,
  ClientInput,
  RequestContext,
  TaskStart,
  TraceContext,
} from '@toolwright/ground/base/request-context';

/** The progress token of a task whose caller sent none: a task can store progress without one. */
export const TASK_PROGRESS = 'task';

/** Progress as a text. */
export function progressNote({ message, progress, total }: Record<string, unknown>): string {
  return String(message ?? `${progress}${total === undefined ? '' : ` of ${total}`}`);
}

/** What a derived request has of the one that it comes from. */
export type OriginOfRequest = Pick<
  RequestContext,
  'id' | 'era' | 'revision' | 'principal' | 'client' | 'logLevel' | 'trace' | 'ip' | 'transport'
> &
  Partial<Pick<RequestContext, 'session' | 'isUnverified' | 'unkeptClaims'>>;

/**
 * A request that is made of another one, for a call inside of it or for its task, or of a job. Who calls and from where is the
 * same. What differs is how it asks, how it ends, and who hears of its progress.
 */
export abstract class DerivedRequest implements RequestContext {
  abstract readonly input: ClientInput;
  abstract readonly progressToken: string | number | undefined;
  abstract readonly signal: AbortSignal;
  abstract readonly task: TaskStart | undefined;
  declare readonly cancellation?: Cancellable;
  trace: TraceContext;

  constructor(private readonly facts: OriginOfRequest) {
    this.trace = facts.trace;
  }

  abstract notify(method: string, params: Record<string, unknown>): void;

  get id() {
    return this.facts.id;
  }
  get era() {
    return this.facts.era;
  }
  get revision() {
    return this.facts.revision;
  }
  get principal() {
    return this.facts.principal;
  }
  get client() {
    return this.facts.client;
  }
  get logLevel() {
    return this.facts.logLevel;
  }
  get ip() {
    return this.facts.ip;
  }
  get transport() {
    return this.facts.transport;
  }
  get session() {
    return this.facts.session;
  }
  get isUnverified(): boolean {
    return this.facts.isUnverified === true;
  }
  get unkeptClaims() {
    return this.facts.unkeptClaims;
  }
}
