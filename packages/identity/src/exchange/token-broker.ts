import type { Seal } from '@toolwright/core/extend';
import type { ClaimStore, Clock, Logger, RecordStore } from '@toolwright/core/ports';
import { ExchangeError, type ExchangeErrorCode } from './exchange-error.js';
import type { IssuedToken } from './issuer-client.js';
import { OneAtATime } from './one-at-a-time.js';
import { lastUse, SKEW_MS, TimedCache, type UsableToken } from './timed-cache.js';

/** How a call came to its token: `exchanged` asked the issuer, `shared` found what another process had asked for. */
export type TokenOutcome = 'exchanged' | 'cached' | 'shared';

/** A token that a call wants. */
export interface BrokeredTokenWish {
  /** A digest of all that the token depends on: who, for what, with which scopes. */
  readonly id: string;
  /** The longest time that `fetch` takes, in milliseconds. */
  readonly timeoutMs: number;
  /** Asks the issuer. @throws {ExchangeError} */
  fetch(): Promise<IssuedToken>;
}

export interface BrokerPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly claims: ClaimStore;
  /** Where the processes share tokens. `undefined`: this process has its own. */
  readonly records: RecordStore | undefined;
  readonly seal: Pick<Seal, 'seal' | 'open'>;
}

interface Failure {
  readonly code: ExchangeErrorCode;
  readonly message: string;
  readonly until: number;
}

const ROOM = 'tokens';
/** How many tokens, and how many failures, a process keeps. A token has 2 KB at most, as a rule. */
const MOST = 1_000;
/** How long a failure is not tried again, in milliseconds: an issuer that is in trouble is not asked by each call. */
export const FAILURE_MS = 5_000;

/**
 * Gets each token once, however many calls wait for it, in this process and in all that share its stores. The first one
 * asks the issuer, and holds a claim meanwhile; the others wait for what it stores. Tokens in a store are sealed.
 */
export class TokenBroker {
  readonly #tokens: TimedCache<UsableToken>;
  readonly #failures: TimedCache<Failure>;
  readonly #turns: OneAtATime;
  readonly #running = new Map<string, Promise<[UsableToken, TokenOutcome]>>();

  constructor(private readonly ports: BrokerPorts) {
    this.#tokens = new TimedCache(ports.clock, MOST);
    this.#failures = new TimedCache(ports.clock, MOST);
    this.#turns = new OneAtATime(ports);
  }

  /** @throws {ExchangeError} when there is no token */
  async obtain(wish: BrokeredTokenWish): Promise<{ token: string; outcome: TokenOutcome }> {
    const { id } = wish;
    const known = this.#tokens.get(id);
    if (known) return { token: known.token, outcome: 'cached' };
    this.#failIfKnown(id);
    const running = this.#running.get(id);
    if (running) return { token: (await running)[0].token, outcome: 'cached' };
    const obtaining = this.#obtain(wish).finally(() => this.#running.delete(id));
    this.#running.set(id, obtaining);
    const [{ token }, outcome] = await obtaining;
    return { token, outcome };
  }

  #failIfKnown(id: string): void {
    const failure = this.#failures.get(id);
    if (failure) throw new ExchangeError(failure.code, failure.message);
  }

  async #obtain(wish: BrokeredTokenWish): Promise<[UsableToken, TokenOutcome]> {
    const { records } = this.ports;
    if (!records) return [await this.#fetch(wish), 'exchanged'];
    let isShared = false;
    try {
      const found = await this.#shared(wish, records);
      isShared = true;
      if (found) return found;
    } catch (error) {
      if (error instanceof ExchangeError) throw error;
      const fields = { err: error, isShared };
      this.ports.logger.warn(fields, 'Tokens cannot be shared now, so this process asks the issuer itself');
    }
    return [await this.#fetch(wish), 'exchanged'];
  }

  /** @returns `undefined` when no other process came to a result in time */
  async #shared(
    wish: BrokeredTokenWish,
    records: RecordStore,
  ): Promise<[UsableToken, TokenOutcome] | undefined> {
    let before = await this.#read(wish.id, records);
    if (before.token) return [before.token, 'shared'];
    const done = await this.#turns.run<UsableToken>({
      name: `token ${wish.id}`,
      timeoutMs: wish.timeoutMs,
      look: async () => {
        before = await this.#read(wish.id, records);
        return before.token && { found: before.token };
      },
      work: () => this.#fetch(wish, { records, was: before.text }),
    });
    if (!done) return undefined;
    return 'made' in done ? [done.made, 'exchanged'] : [done.found, 'shared'];
  }

  async #fetch(
    { id, fetch }: BrokeredTokenWish,
    shared?: { records: RecordStore; was: string | undefined },
  ): Promise<UsableToken> {
    const { clock } = this.ports;
    const share = async (value: UsableToken | Failure, ttlMs: number) => {
      const text = this.ports.seal.seal({ ...value, lifeMs: ttlMs }, id);
      await shared?.records.put(ROOM, id, text, { was: shared.was, ttlMs });
    };
    try {
      const { token, lifeMs } = await fetch();
      const usable = { token, until: lastUse(clock.now(), lifeMs) };
      this.#tokens.set(id, usable);
      await share(usable, Math.max(1, usable.until - clock.now())).catch((err: unknown) =>
        this.ports.logger.warn({ err }, 'A token could not be shared with other processes'),
      );
      return usable;
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      const { code, message } = error;
      const failure = { code, message, until: clock.now() + FAILURE_MS };
      this.#failures.set(id, failure);
      await share(failure, FAILURE_MS).catch(() => undefined);
      throw error;
    }
  }

  /** @throws {ExchangeError} when another process has just failed */
  async #read(id: string, records: RecordStore): Promise<{ token?: UsableToken; text: string | undefined }> {
    const text = await records.get(ROOM, id);
    const found = text === undefined ? undefined : this.ports.seal.open(text, id);
    const shared = found as ((UsableToken | Failure) & { readonly lifeMs?: number }) | undefined;
    const now = this.ports.clock.now();
    if (!shared || shared.until <= now) return { text };
    const { lifeMs = Infinity, ...kept } = shared;
    // If the clock was set back since then, nobody knows how long it still lives.
    if (now < kept.until - lifeMs - SKEW_MS) return { text };
    if ('code' in kept) {
      this.#failures.set(id, kept);
      throw new ExchangeError(kept.code, kept.message);
    }
    this.#tokens.set(id, kept);
    return { token: kept, text };
  }
}
