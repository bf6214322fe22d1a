import type { ToolResult } from '@toolwright/ground/base/content';
import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import type { Principal } from '@toolwright/ground/base/request-context';
import type { InputRequired } from '@toolwright/ground/call/context/rounds';
import type { Environment } from '@toolwright/ground/call/environment';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import type { WatchedAuditSink } from '@toolwright/ground/call/security/watched-audit-sink';
import type { ClaimStore } from '@toolwright/ground/ports/claim-store';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { EventBus } from '@toolwright/ground/ports/event-bus';
import type { ServerStores, StoreHealth } from '@toolwright/ground/ports/server-stores';
import type { TaskRecord } from '@toolwright/ground/ports/task-store';
import type { ServerInfo } from '@toolwright/wire/revision-record';
import type { Additions } from './additions.js';

/** The options that requests read. */
export interface RequestSettings {
  /** The revisions with a handshake are served. */
  readonly stateful: boolean;
  /** Clients can hear of changes, if their channel can bring them. */
  readonly sendsChanges: boolean;
  readonly lists: { readonly ttl: number };
}

export type TaskOutcome = ToolResult | InputRequired | BegunTask;

/** The outcome of a call that has become a task. Its caller gets the task as the answer. */
export class BegunTask {
  constructor(readonly task: TaskRecord) {}
}

/** One server, as requests see it. */
export interface ProtocolHost extends Environment {
  readonly info: ServerInfo;
  readonly instructions: string | undefined;
  readonly registry: Registry;
  /** What packages add. */
  readonly additions: Additions;
  readonly audit: WatchedAuditSink | undefined;
  /** What the processes of the server share. What is missing stays in this process. */
  readonly stores: ServerStores;
  /** The tasks of the stores, if they also hand out their work. */
  readonly queue: { health?(): readonly StoreHealth[] } | undefined;
  readonly bus: EventBus;
  /** True when the bus reaches other processes. */
  readonly isBusShared: boolean;
  /** Remembers which sessions with sealed ids their clients have ended. */
  readonly endedSessions: ClaimStore;
  /** True when anonymous callers are refused. */
  readonly requiresPrincipal: boolean;
}

/** Whether each of the stores that a server depends on answers. */
export function storeHealth({ stores, queue, audit, limiter }: ProtocolHost): StoreHealth[] {
  return [
    ...(stores.health?.() ?? []),
    ...(queue?.health?.() ?? []),
    ...(audit ? [{ store: 'audit', ...audit.health() }] : []),
    ...(limiter ? [limiter.health] : []),
  ];
}

/**
 * Why a caller cannot be served as this principal. Sessions, quotas, sealed states and audit records are kept
 * by subject or client id. All principals without either would be treated as one.
 */
export function findPrincipalProblem(
  principal: Principal | undefined,
  { requiresPrincipal }: Pick<ProtocolHost, 'requiresPrincipal'>,
): ConfigurationProblem | undefined {
  if (principal) {
    const { subject, clientId } = principal as Partial<Principal>;
    if (!isText(subject) && !isText(clientId)) return unnamed(principal);
    return principal.tenant === undefined || isText(principal.tenant) ? undefined : NO_TENANT;
  }
  return requiresPrincipal ? ANONYMOUS : undefined;
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';

/** Whoever is used to guards of other frameworks returns true. */
const unnamed = (principal: unknown): ConfigurationProblem => ({
  code: 'TW_PRINCIPAL_UNNAMED',
  message:
    typeof principal === 'object'
      ? 'A principal has neither a subject nor a clientId, so the server cannot tell it from others.'
      : `${typeof principal === 'string' ? 'A text' : String(principal)} is not a principal, so nobody knows who calls.`,
  fix: 'Return one such as { subject: \'ann\', scopes: [] }, with a text in "subject" or "clientId", or undefined if nobody is signed in.',
});

const NO_TENANT: ConfigurationProblem = {
  code: 'TW_TENANT_INVALID',
  message: 'The tenant of a principal is not a text, or is empty.',
  fix: 'Set "tenant" to a text that names one tenant, or leave it out for callers that belong to none.',
};

const ANONYMOUS: ConfigurationProblem = {
  code: 'TW_SECURITY_STRICT',
  message: 'The strict posture refuses anonymous callers, and nothing says who calls.',
  fix: "Over HTTP, set oauth, principal or authenticate; over stdio, set principal. Or relax this part: security: { mode: 'strict', relax: ['principals'] }.",
};

/** Counts the requests that are being answered, so that a server can stop without losing any. */
export class Traffic {
  /** How many requests are being answered. `serve.ts` counts them. */
  active = 0;
  /** True when new requests are refused. */
  draining = false;
  #idle: (() => void)[] = [];

  /** To be called when a request of a draining server has been answered. */
  tellIdle(): void {
    if (this.active === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * Resolves when no request is being answered any more: with true, or with false when `graceMs` passed
   * before. `draining` is set first.
   */
  whenIdle(graceMs: number, clock: Clock): Promise<boolean> {
    if (this.active === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = clock.after(graceMs, () => resolve(false));
      this.#idle.push(() => {
        cancel();
        resolve(true);
      });
    });
  }
}
