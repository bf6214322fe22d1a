/** What is known about a key. The key itself is kept nowhere. */
export interface ApiKey {
  readonly id: string;
  readonly subject: string;
  readonly issuer?: string;
  readonly tenant?: string;
  readonly name?: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch, like all times here. */
  readonly created: number;
  readonly expires?: number;
  /** When it was used last, to the minute. */
  readonly lastUsed?: number;
}

/** What is known about a grant. Its tokens are shown to nobody. */
export interface UserGrant {
  readonly id: string;
  /** Whose it is. */
  readonly issuer: string;
  readonly subject: string;
  readonly tenant?: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch: when it was granted, and when its token was refreshed last. */
  readonly created: number;
  readonly renewed: number;
  /** Present and true if nobody can use it any more here, and its issuer has not revoked it yet. */
  readonly revoked?: true;
}

/** A skill, as operators see it. */
export interface SkillState {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  /** Each file, or `dynamic` for a skill that a method writes. */
  readonly files:
    readonly { readonly uri: string; readonly digest: string; readonly size: number }[] | 'dynamic';
  /** The scopes that a caller needs. */
  readonly scopes: readonly string[];
  /** True if the skill is for some callers only (`for`). */
  readonly isForSome: boolean;
}

/** A method that runs by itself in this process. */
export interface ScheduleState {
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  /** When it is due next, in milliseconds since the epoch. Missing if it is never due again. */
  readonly nextAt?: number;
  /** The last time that was due since this process started, and what became of it. */
  readonly last?: { readonly at: number; readonly outcome: 'begun' | 'taken' | 'overlapping' | 'missed' };
}
