import { type ApiKey, isSameSecret } from '@toolwright/json';
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Seal } from '@toolwright/core/extend';
import type { Clock, RecordStore } from '@toolwright/core/ports';
import type { SealedRoom } from '../subjects/sealed-room.js';

/** What a key is for. */
export interface ApiKeyWish {
  /** Who calls with it: a person, or a program. */
  readonly subject: string;
  /** The issuer of the subject, where the key acts for a person who also signs in there. */
  readonly issuer?: string | undefined;
  /** The tenant of the subject. */
  readonly tenant?: string | undefined;
  readonly scopes: readonly string[];
  /** What the key is for, in words. */
  readonly name?: string | undefined;
  /** After how many milliseconds it ends. `undefined`: never. */
  readonly lifetimeMs?: number | undefined;
}

/** A key that was just made. Nobody can read it a second time. */
export interface NewApiKey extends ApiKey {
  readonly key: string;
}

interface KeptKey extends Omit<ApiKey, 'id' | 'lastUsed'> {
  readonly hash: string;
}

const KEYS = 'api-keys';
const USES = 'api-key-uses';
const SEAL = 'api key';
const MINUTE_MS = 60_000;
const ID = /^[0-9a-f]{16}$/;

/**
 * The API keys of a server. A key is `<prefix>_<id>_<secret>` with 256 random bits in its secret, so nobody can guess it, and
 * a slow hash would protect nothing more. Its HMAC is kept, with a key that is derived from the secrets of the server, in a
 * sealed record. Who can read the store gets no key, and who can write to it can make none.
 */
export class ApiKeyRecords {
  readonly #seal: Seal;
  readonly #hashKeys: readonly Buffer[];
  /** The minute of the last use that this process has recorded, by key. */
  readonly #noted = new Map<string, number>();

  constructor(
    private readonly store: RecordStore,
    secrets: readonly string[],
    private readonly settings: { readonly clock: Clock; readonly prefix: string },
  ) {
    this.#seal = new Seal(secrets, SEAL);
    this.#hashKeys = secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', 'toolwright api key hash', 32)),
    );
  }

  async create({ subject, issuer, tenant, scopes, name, lifetimeMs }: ApiKeyWish): Promise<NewApiKey> {
    const { clock, prefix } = this.settings;
    const id = randomBytes(8).toString('hex');
    const secret = randomBytes(32).toString('base64url');
    const created = clock.now();
    const known = {
      subject,
      ...(issuer !== undefined && { issuer }),
      ...(tenant !== undefined && { tenant }),
      ...(name !== undefined && { name }),
      scopes: [...scopes],
      created,
      ...(lifetimeMs !== undefined && { expires: created + lifetimeMs }),
    };
    await this.#put(id, { ...known, hash: this.#hash(id, secret, this.#hashKeys[0]!) }, undefined);
    return { id, ...known, key: `${prefix}_${id}_${secret}` };
  }

  /** All keys that have not ended, by age. */
  async list(): Promise<readonly ApiKey[]> {
    const [keys, uses] = await Promise.all([this.store.list(KEYS), this.store.list(USES)]);
    const used = new Map(uses);
    return keys
      .flatMap(([id, text]) => {
        const kept = this.#open(id, text);
        return kept ? [shown(id, kept, used.get(id))] : [];
      })
      .sort((one, other) => one.created - other.created);
  }

  /** @returns false when there is no such key */
  async revoke(id: string): Promise<boolean> {
    const isThere = await this.store.delete(KEYS, id);
    await this.store.delete(USES, id);
    return isThere;
  }

  /**
   * Makes a key for the same purpose, and ends the old one after a while.
   *
   * @returns `undefined` when there is no such key
   */
  async rotate(id: string, { graceMs }: { graceMs: number }): Promise<NewApiKey | undefined> {
    const { clock } = this.settings;
    const text = await this.store.get(KEYS, id);
    const kept = text === undefined ? undefined : this.#open(id, text);
    if (!kept) return undefined;
    const { subject, issuer, tenant, scopes, name, created, expires } = kept;
    const lifetimeMs = expires === undefined ? undefined : expires - created;
    const next = await this.create({ subject, issuer, tenant, scopes, name, lifetimeMs });
    const end = clock.now() + graceMs;
    await this.#put(id, { ...kept, expires: Math.min(expires ?? end, end) }, text);
    return next;
  }

  /** What a key is worth; `undefined` when it is not one of ours, or has ended. */
  async find(key: string): Promise<ApiKey | undefined> {
    const { prefix, clock } = this.settings;
    const [, id, secret] = key.startsWith(`${prefix}_`)
      ? (/^_([0-9a-f]{16})_([\w-]{43})$/.exec(key.slice(prefix.length)) ?? [])
      : [];
    if (id === undefined || secret === undefined) return undefined;
    const text = await this.store.get(KEYS, id);
    const kept = text === undefined ? undefined : this.#open(id, text);
    if (!kept || (kept.expires !== undefined && kept.expires <= clock.now())) return undefined;
    const isRight = this.#hashKeys.some((hashKey) =>
      isSameSecret(this.#hash(id, secret, hashKey), kept.hash),
    );
    return isRight ? shown(id, kept, undefined) : undefined;
  }

  /** Records a use, once a minute. A store that is away only makes the record older. */
  async note({ id, expires }: Pick<ApiKey, 'id' | 'expires'>): Promise<void> {
    const now = this.settings.clock.now();
    const minute = Math.floor(now / MINUTE_MS);
    if (this.#noted.get(id) === minute) return;
    if (this.#noted.size > 10_000) this.#noted.clear();
    this.#noted.set(id, minute);
    const was = await this.store.get(USES, id);
    // It is forgotten with its key.
    const ttlMs = expires === undefined ? undefined : Math.max(1, expires - now);
    await this.store.put(USES, id, String(minute * MINUTE_MS), { was, ttlMs });
  }

  async #put(id: string, kept: KeptKey, was: string | undefined): Promise<void> {
    const ttlMs =
      kept.expires === undefined ? undefined : Math.max(0, kept.expires - this.settings.clock.now());
    if (!(await this.store.put(KEYS, id, this.#seal.seal(kept, id), { was, ttlMs })))
      throw new Error('The API key was changed by somebody else at the same time. Try again.');
  }

  #open(id: string, text: string): KeptKey | undefined {
    return ID.test(id) ? (this.#seal.open(text, id) as KeptKey | undefined) : undefined;
  }

  #hash(id: string, secret: string, hashKey: Buffer): string {
    return createHmac('sha256', hashKey).update(`${id} ${secret}`).digest('base64url');
  }
}

/** The keys as operators find them by their subject. */
export const apiKeyRoom: SealedRoom<KeptKey> = {
  kind: 'API keys',
  rooms: [KEYS],
  seal: SEAL,
  people: (key) => [key],
  show: (key, { id }) => ({ ...shown(id, key, undefined) }),
  beside: [USES],
};

function shown(id: string, { hash: _, ...kept }: KeptKey, used: string | undefined): ApiKey {
  return { id, ...kept, ...(used !== undefined && { lastUsed: Number(used) }) };
}
