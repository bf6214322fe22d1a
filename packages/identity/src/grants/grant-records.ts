import { digest, Seal } from '@toolwright/core/extend';
import type { Clock, RecordStore } from '@toolwright/core/ports';
import type { ExchangeErrorCode } from '../exchange/exchange-error.js';
import type { UsableToken } from '../exchange/timed-cache.js';
import type { SealedRoom } from '../subjects/sealed-room.js';
import type { GrantHolder } from './grant-holder.js';

/** The client that holds a grant, and where. */
export interface GrantClientId {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientAuth: 'basic' | 'post';
}

/** What a person has granted, with the tokens for it. */
export interface GrantRecord {
  /**
   * - `active`: tools may use it
   * - `ended`: the issuer no longer accepts it
   * - `revoked`: an operator has ended it, and the issuer may still accept it
   */
  readonly status: 'active' | 'ended' | 'revoked';
  readonly holder: GrantHolder;
  readonly resource: string;
  readonly client: GrantClientId;
  /** The scopes that were granted, by the names under which tools ask for them. */
  readonly scopes: readonly string[];
  /** Without it, the grant ends with its token. */
  readonly refreshToken?: string | undefined;
  /** Access tokens, by their scopes. */
  readonly tokens: Readonly<Record<string, UsableToken>>;
  /** Why the last refresh failed, and until when nobody tries again. */
  readonly failure?:
    { readonly code: ExchangeErrorCode; readonly message: string; readonly until: number } | undefined;
  /** When the person has granted it, and when a token was got last. Milliseconds since the epoch. */
  readonly created: number;
  readonly renewed: number;
}

/** A grant as the store has it. */
export interface KeptGrant {
  /** `undefined`: it was sealed with a secret that is gone. */
  readonly record: GrantRecord | undefined;
  readonly text: string;
}

/** Tokens of different scopes are kept apart: a tool that asks for less does not get more. */
export const scopeKey = (scopes: readonly string[]): string => [...scopes].sort().join(' ');

const ROOM = 'grants';
const SEAL = 'stored grant';

/** How long a grant stays in the store that nobody can use any more, in milliseconds. */
const ENDED_MS = 1_000;
const REVOKED_MS = 7 * 86_400_000;

export interface GrantRecordsSettings {
  readonly clock: Clock;
  readonly secrets: readonly string[];
  /** After how many milliseconds a grant is forgotten that nobody uses. */
  readonly keepMs: number;
}

/** The grants of all processes. They are sealed where they are kept, each bound to its id. */
export class GrantRecords {
  readonly #seal: Seal;

  constructor(
    private readonly store: RecordStore,
    private readonly settings: GrantRecordsSettings,
  ) {
    this.#seal = new Seal(settings.secrets, SEAL);
  }

  /** The id of the one grant that a person can have for a resource. It is hexadecimal, so that no command takes it for an option. */
  static idOf({ issuer, subject, tenant }: GrantHolder, resource: string, client: GrantClientId): string {
    const whole = digest([issuer, subject, tenant ?? null, resource, client.issuer, client.clientId]);
    return Buffer.from(whole, 'base64url').toString('hex').slice(0, 40);
  }

  async find(id: string): Promise<KeptGrant | undefined> {
    const text = await this.store.get(ROOM, id);
    return text === undefined ? undefined : { record: this.#open(id, text), text };
  }

  /** @returns false when something else was there: somebody else has changed the grant */
  async write(id: string, record: GrantRecord, was: string | undefined): Promise<boolean> {
    return this.store.put(ROOM, id, this.#seal.seal(record, id), { was, ttlMs: this.#ttl(record) });
  }

  async remove(id: string): Promise<boolean> {
    return this.store.delete(ROOM, id);
  }

  /** All grants that this server can open, the oldest first. */
  async list(): Promise<readonly (readonly [id: string, record: GrantRecord])[]> {
    const all = await this.store.list(ROOM);
    return all
      .flatMap(([id, text]) => {
        const record = this.#open(id, text);
        return record && record.status !== 'ended' ? [[id, record] as const] : [];
      })
      .sort(([, one], [, other]) => one.created - other.created);
  }

  #open(id: string, text: string): GrantRecord | undefined {
    return this.#seal.open(text, id) as GrantRecord | undefined;
  }

  #ttl({ status, refreshToken, tokens }: GrantRecord): number {
    if (status === 'ended') return ENDED_MS;
    if (status === 'revoked') return REVOKED_MS;
    const now = this.settings.clock.now();
    const lasts = Math.max(0, ...Object.values(tokens).map(({ until }) => until - now));
    return Math.max(1, refreshToken === undefined ? lasts : this.settings.keepMs, lasts);
  }
}

/** The grants as operators find them by their holder. */
export const grantRoom: SealedRoom<GrantRecord> = {
  kind: 'grants',
  rooms: [ROOM],
  seal: SEAL,
  people: ({ holder }) => [holder],
  show: ({ status, holder, resource, client, scopes, created, renewed }) => ({
    status,
    holder,
    resource,
    issuer: client.issuer,
    scopes,
    created,
    renewed,
  }),
};
