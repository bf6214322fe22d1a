import { hash, randomBytes } from 'node:crypto';
import type { ClientDescription, Principal, Revision } from '@toolwright/ground/base/request-context';
import { principalKey } from '@toolwright/ground/call/operation/keys';
import type { EventStore } from '@toolwright/ground/ports/event-store';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { DataOwner } from '@toolwright/ground/ports/server-stores';
import { cutText, Seal } from '@toolwright/json';
import { isJsonObject, type JsonObject } from '@toolwright/wire/json-rpc';
import { type QuotaLimits, type QuotaOwner, QuotaPool } from '../requests/quota-pool.js';
import type { SessionSettings } from './session-options.js';

/** What a sealed session id says. */
export interface SessionStub {
  readonly revision: Revision;
  readonly client: ClientDescription;
  /** When the id is no longer accepted, in milliseconds since the epoch. */
  readonly expires: number;
}

/** What is known of a session that its caller asks for. */
export interface KnownSession extends SessionStub {
  /** True when nobody had signed in when the session was opened. */
  readonly isAnonymous: boolean;
}

/** The longest id, in characters. Clients send it with every request. */
const MAX_LENGTH = 400;
const MAX_NAME = 48;
/** The capabilities that decide what a server may ask its client. */
const ASKED = ['elicitation', 'sampling', 'roots', 'extensions'];

type Sealed = [
  revision: Revision,
  /** In seconds; `null` for Infinity, which JSON does not have. */
  expires: number | null,
  owner: string,
  capabilities: JsonObject,
  info: ClientDescription['info'] | null,
];

/**
 * The ids of sessions. A sealed id carries the handshake, so that every process with the secrets can serve
 * the session, and so can a process that was started later. Nothing has to be stored.
 */
export class SessionIds {
  readonly #seal: Seal | undefined;

  /**
   * @param server servers may share their secrets, but a session of one is not a session of another
   * @param secrets without them, ids are random and say nothing
   */
  constructor(
    private readonly server: string,
    secrets: readonly string[] | undefined,
    logger?: Logger,
  ) {
    this.#seal = secrets && new Seal(secrets, 'session id', { logger });
  }

  /** True when ids are sealed. */
  get areSealed(): boolean {
    return this.#seal !== undefined;
  }

  issue(stub: SessionStub, principal: Principal | undefined): string {
    const seal = this.#seal;
    if (!seal) return randomSessionId();
    const { revision, client, expires } = stub;
    const owner = ownerDigest(principal);
    const sealed = (capabilities: JsonObject, info: Sealed[4]) =>
      seal.seal(
        [revision, Math.floor(expires / 1000), owner, capabilities, info] satisfies Sealed,
        this.server,
      );
    // The process that opened the session knows everything. Others need only what questions depend on.
    const { extensions, ...few } = onlyAsked(client.capabilities);
    const forms: (() => string)[] = [
      () => sealed(client.capabilities, client.info ?? null),
      () => sealed({ ...few, ...(extensions !== undefined && { extensions }) }, shortened(client.info)),
      () => sealed(few, shortened(client.info)),
    ];
    for (const form of forms) {
      const id = form();
      if (id.length <= MAX_LENGTH) return id;
    }
    return sealed(few, null);
  }

  /**
   * What an id says. `undefined`: nobody here sealed it, or for another principal, or it has expired. A principal may
   * read the id of an anonymous session, because the client may have signed in since.
   */
  read(id: string, principal: Principal | undefined, now: number): KnownSession | undefined {
    const sealed = id.length <= MAX_LENGTH ? this.#seal?.open(id, this.server) : undefined;
    if (!Array.isArray(sealed)) return undefined;
    const [revision, seconds, owner, capabilities, info] = sealed as Sealed;
    const expires = seconds === null ? Infinity : seconds * 1000;
    const isAnonymous = owner === '';
    if ((!isAnonymous && owner !== ownerDigest(principal)) || expires <= now) return undefined;
    return { revision, expires, isAnonymous, client: { capabilities, ...(info && { info }) } };
  }
}

/** An id that nobody can guess and that says nothing. */
export function randomSessionId(): string {
  return randomBytes(16).toString('hex');
}

/** A digest of an id. Stores get it in place of the id, which is like a password. */
export function sessionKey(id: string): string {
  return hash('sha256', id, 'base64url');
}

/**
 * Names a session that was anonymous, and that a principal has continued. It is another session in every store, with
 * the same id.
 */
export function risenKey(id: string, principal: Principal): string {
  return sessionKey(`${id} ${principalKey(principal)}`);
}

function ownerDigest(principal: Principal | undefined): string {
  return principal ? hash('sha256', principalKey(principal), 'base64url').slice(0, 22) : '';
}

/**
 * Names a subject or a tenant in stores, without saying who it is. Operators find its sessions by it; a session is bound to
 * more, such as its client.
 */
export function dataOwnerDigest(owner: DataOwner): string {
  const named =
    'tenant' in owner ? ['tenant', owner.tenant] : ['subject', owner.issuer ?? null, owner.subject];
  return hash('sha256', JSON.stringify(named), 'base64url').slice(0, 22);
}

function onlyAsked(capabilities: Readonly<JsonObject>): JsonObject {
  const known = ASKED.filter((name) => isJsonObject(capabilities[name]));
  return Object.fromEntries(known.map((name) => [name, partsOf(name, capabilities[name] as JsonObject)]));
}

/** Which parts a capability has is all that matters, except for extensions. */
function partsOf(name: string, capability: JsonObject): JsonObject {
  if (name === 'extensions') return capability;
  const known = ['form', 'url', 'tools', 'context'].filter((part) => isJsonObject(capability[part]));
  return Object.fromEntries(known.map((part) => [part, {}]));
}

function shortened(info: ClientDescription['info']): Sealed[4] {
  return info ? { name: cutText(info.name, MAX_NAME), version: cutText(info.version, MAX_NAME) } : null;
}

/** The part of a session that decides about its place. */
interface Placed {
  readonly session: { readonly busy: boolean };
  readonly holder: QuotaOwner;
}

/** The places that sessions take in the memory of this process. */
export class SessionPlaces<T extends Placed> {
  readonly #pool: QuotaPool<T>;
  /** All sessions of principals. The one that was unused for longest comes first. */
  readonly #ofPrincipals = new Set<T>();
  /** The entry that is the last one wherever it is. */
  #last: T | undefined;

  constructor(limits: QuotaLimits) {
    this.#pool = new QuotaPool(limits);
  }

  take(entry: T): void {
    this.#pool.take(entry.holder, entry);
    this.#last = entry;
    if (!entry.holder.anonymous) this.#ofPrincipals.add(entry);
  }

  leave(entry: T): void {
    this.#pool.leave(entry.holder, entry);
    if (this.#last === entry) this.#last = undefined;
    this.#ofPrincipals.delete(entry);
  }

  /** The session was used. */
  renew(entry: T): void {
    if (this.#last === entry) return;
    this.#last = entry;
    this.#pool.renew(entry.holder, entry);
    if (this.#ofPrincipals.delete(entry)) this.#ofPrincipals.add(entry);
  }

  /**
   * Makes room for one more session.
   *
   * @param close closes a session in which nobody waits for anything
   * @returns false when there is no room and no existing session may be closed
   */
  makeRoom(holder: QuotaOwner, close: (entry: T) => void): boolean {
    const closeUnused = (entries: Iterable<T>) => {
      for (const entry of entries) {
        if (entry.session.busy) continue;
        close(entry);
        return true;
      }
      return false;
    };
    // A caller over its limit loses its own session, and a tenant over its limit one of its callers' sessions; nobody else.
    if (this.#pool.isExhaustedFor(holder) && !closeUnused(this.#pool.atLimitOf(holder))) return false;
    if (!this.#pool.isFullFor(holder)) return true;
    return closeUnused(holder.anonymous ? this.#rivalsOf(holder) : this.#ofPrincipals);
  }

  /**
   * Anonymous callers take room only from each other: from the address that has the most, which may be the
   * caller's own.
   */
  #rivalsOf(holder: QuotaOwner): Iterable<T> {
    const own = this.#pool.of(holder);
    const largest = this.#pool.ofLargestAddress();
    return largest.size > own.size ? largest : own;
  }
}

export type SessionLimits = Omit<SessionSettings, 'resumable' | 'pollAfter'>;

/**
 * The stores of events. They are separate, so that events for anonymous callers never push out an event for a
 * principal.
 */
export interface SessionEvents {
  ofPrincipals: EventStore;
  ofAnonymous: EventStore;
  /** True for a store of the application: another process may need the events. */
  areShared: boolean;
}
