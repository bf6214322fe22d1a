import { createHash } from 'node:crypto';
import { Seal } from '@toolwright/core/extend';
import type { Clock, RecordStore } from '@toolwright/core/ports';
import type { SealedRoom } from '../subjects/sealed-room.js';
import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Models that end when the grant that they belong to is revoked. */
const OF_A_GRANT = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken']);

/** A registered client with which nobody has signed in for so long is forgotten. */
const CLIENT_SECONDS = 90 * 86_400;
const DAY_SECONDS = 86_400;

/** How long a client waits for its first sign-in. Strangers can register without end, so nobody keeps these for long. */
const UNUSED_CLIENT_SECONDS = DAY_SECONDS;
const SEAL = 'authorization proxy records';

/**
 * For how long a refresh token that was used is taken again. Two requests of one client at the same time, or an answer
 * that got lost, would otherwise look like theft and end the grant.
 */
const LEEWAY_SECONDS = 10;

/** A record that was changed by others again and again: the store is broken, or somebody hammers one token. */
const MOST_ATTEMPTS = 20;

/** What is kept beside the payload of oidc-provider. */
interface Kept {
  readonly payload: AdapterPayload;
  /** When it ends, in seconds since the epoch. */
  readonly ends?: number;
}

export interface ProviderRecordsParts {
  readonly records: RecordStore;
  readonly secrets: readonly string[];
  readonly clock: Clock;
  /** Thrown for a code or a replayed proof that another request has used. */
  readonly alreadyUsed: () => Error;
}

/**
 * Keeps what oidc-provider stores in a `RecordStore`, sealed, and under ids from which nobody can make a token. So replicas
 * share it, and whoever reads the store can neither use nor see a token.
 */
export class ProviderRecords {
  readonly #seal: Seal;

  constructor(private readonly parts: ProviderRecordsParts) {
    this.#seal = new Seal(parts.secrets, SEAL);
  }

  /** What oidc-provider asks for each of its models. */
  readonly adapterOf = (model: string): Adapter => ({
    upsert: (id, payload, expiresIn) => this.#upsert(model, id, payload, expiresIn),
    find: (id) => this.#find(model, id),
    findByUid: async (uid) => {
      const found = await this.#read('SessionUid', uid);
      return found && this.#find(model, String(found.kept.payload.jti));
    },
    findByUserCode: () => Promise.resolve(undefined),
    consume: (id) => this.#consume(model, id),
    destroy: async (id) => void (await this.parts.records.delete(room(model), idOf(model, id))),
    revokeByGrantId: (grantId) => this.#revoke(grantId),
  });

  /** A record of the proxy itself. */
  async get(kind: string, id: string): Promise<unknown> {
    return (await this.#read(kind, id))?.kept.payload;
  }

  async set(kind: string, id: string, value: object, seconds: number): Promise<void> {
    await this.#change(kind, id, () => this.#keeping(value as AdapterPayload, seconds));
  }

  /** Makes a record if there is none, and seals it with the first secret. @returns what is there afterwards */
  async ensure(kind: string, id: string, make: () => object): Promise<unknown> {
    await this.#change(kind, id, (kept) => ({ payload: kept?.payload ?? (make() as AdapterPayload) }));
    return this.get(kind, id);
  }

  /** A person has signed in with a client, or it goes on to be used. It is written at most once a day. */
  async #keepClient(id: string): Promise<void> {
    const found = await this.#read('Client', id);
    if (found && found.kept.ends! - this.#now() < CLIENT_SECONDS - DAY_SECONDS)
      await this.#change('Client', id, () => this.#keeping(found.kept.payload, CLIENT_SECONDS));
  }

  async #upsert(model: string, id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    // Nobody stays signed in at the proxy.
    if (model === 'Session') return;
    const kept = this.#keeping(payload, model === 'Client' ? UNUSED_CLIENT_SECONDS : expiresIn);
    await this.#change(model, id, (before) => {
      if (model === 'ReplayDetection' && before) throw this.parts.alreadyUsed();
      return kept;
    });
    if (OF_A_GRANT.has(model) && payload.clientId !== undefined) await this.#keepClient(payload.clientId);
    if (OF_A_GRANT.has(model) && payload.grantId !== undefined)
      await this.#change('GrantMembers', payload.grantId, (before) => {
        const members = (before?.payload['members'] ?? []) as [string, string][];
        const ends = Math.max(before?.ends ?? 0, kept.ends ?? 0);
        // A long-lived grant is refreshed every hour: only the last members can still be alive.
        return { payload: { members: [...members.slice(-200), [model, id]] } as never, ends };
      });
  }

  async #find(model: string, id: string): Promise<AdapterPayload | undefined> {
    const found = await this.#read(model, id);
    if (!found) return undefined;
    const { payload } = found.kept;
    const { consumed, ...rest } = payload;
    const isTakenAgain =
      model === 'RefreshToken' && typeof consumed === 'number' && this.#now() - consumed < LEEWAY_SECONDS;
    return isTakenAgain ? rest : payload;
  }

  async #consume(model: string, id: string): Promise<void> {
    await this.#change(model, id, (kept) => {
      if (!kept) throw this.parts.alreadyUsed();
      const { consumed } = kept.payload;
      if (consumed === undefined) return { ...kept, payload: { ...kept.payload, consumed: this.#now() } };
      if (model !== 'RefreshToken') throw this.parts.alreadyUsed();
      return kept;
    });
  }

  async #revoke(grantId: string): Promise<void> {
    const found = await this.#read('GrantMembers', grantId);
    const members = (found?.kept.payload['members'] ?? []) as [string, string][];
    for (const [model, id] of members) await this.parts.records.delete(room(model), idOf(model, id));
    await this.parts.records.delete(room('GrantMembers'), idOf('GrantMembers', grantId));
  }

  /** Changes a record. If another writer was faster, it reads the record again and repeats the change. */
  async #change(model: string, id: string, next: (kept: Kept | undefined) => Kept): Promise<void> {
    const { records } = this.parts;
    const stored = idOf(model, id);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const found = await this.#read(model, id);
      const kept = next(found?.kept);
      if (found && kept === found.kept) return;
      const ttlMs = kept.ends === undefined ? undefined : Math.max(1, kept.ends - this.#now()) * 1_000;
      const text = this.#seal.seal(kept, stored);
      if (await records.put(room(model), stored, text, { was: found?.text, ttlMs })) return;
    }
    throw new Error(`A record of the kind ${model} could not be written: others write it all the time.`);
  }

  async #read(model: string, id: string): Promise<{ text: string; kept: Kept } | undefined> {
    const stored = idOf(model, id);
    const text = await this.parts.records.get(room(model), stored);
    const kept = text === undefined ? undefined : (this.#seal.open(text, stored) as Kept | undefined);
    if (text === undefined || !kept) return undefined;
    return kept.ends !== undefined && kept.ends <= this.#now() ? undefined : { text, kept };
  }

  #keeping(payload: AdapterPayload, seconds: number | undefined): Kept {
    return { payload, ...(seconds !== undefined && { ends: this.#now() + seconds }) };
  }

  #now(): number {
    return Math.floor(this.parts.clock.now() / 1_000);
  }
}

/** The kinds of records that name an account, in the words of oidc-provider, and `Account`, which the proxy adds. */
const OF_ACCOUNTS = ['Account', 'Session', 'Grant', 'AccessToken', 'AuthorizationCode', 'RefreshToken'];

/** The sign-ins of a proxy, as operators find them by their subject. All of them belong to the proxy's own issuer. */
export function proxyRoom(issuer: string): SealedRoom<Kept> {
  return {
    kind: 'sign-ins at the proxy',
    rooms: OF_ACCOUNTS.map(room),
    seal: SEAL,
    noTenants:
      'a sign-in has an account and no tenant. Pass the proxy as the issuer, and each subject of the tenant',
    people({ payload }) {
      const { accountId, user } = payload as AdapterPayload & { user?: { subject: string } };
      const subject = user?.subject ?? accountId;
      return [subject === undefined ? undefined : { issuer, subject }];
    },
    show({ payload, ends }, { room: name }) {
      const { clientId, scope, user, iat } = payload as AdapterPayload & { user?: object };
      return {
        what: name.slice(room('').length),
        ...(user && { user }),
        ...(clientId !== undefined && { clientId }),
        ...(typeof scope === 'string' && { scope }),
        ...(iat !== undefined && { began: iat * 1_000 }),
        ...(ends !== undefined && { expires: ends * 1_000 }),
      };
    },
  };
}

/** The id of a token is the token, so only its digest is kept. */
const idOf = (model: string, id: string) => createHash('sha256').update(`${model} ${id}`).digest('base64url');

const room = (model: string) => `oauth-${model}`;
