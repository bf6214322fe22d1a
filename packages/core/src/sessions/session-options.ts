import type { Duration } from '@toolwright/ground/base/options/option-schema';
import {
  withDefaults,
  type OptionSchema,
  type WithDefaults,
} from '@toolwright/ground/base/options/option-schema';
import {
  anyDuration,
  count,
  durationToInfinity,
  flag,
  named,
  oneOf,
  positiveCount,
} from '@toolwright/ground/base/options/rules';

export interface SessionOptions {
  /**
   * How many sessions of principals are kept at a time. When there are too many, the one that was unused for
   * longest is ended. Default 10,000.
   */
  max?: number;
  /**
   * How many sessions one principal may have at a time. A principal over its limit loses its own session that
   * was unused for longest. Default 1,000.
   */
  maxPerPrincipal?: number;
  /**
   * How many sessions the principals of one tenant may have at a time, in each process. A tenant over its limit loses its own
   * session that was unused for longest, whoever has it. A principal without a tenant counts as one. Default: no limit.
   */
  maxPerTenant?: number;
  /**
   * How many sessions of anonymous callers are kept at a time. They are counted separately: anonymous callers and
   * principals never take a place from each other. When there are too many, the address with the most sessions loses
   * the one that was unused for longest. Default: the value of `max`.
   */
  maxAnonymous?: number;
  /** After how long without use a session ends. Default 30 minutes. More than 0; `Infinity`: never. */
  idle?: Duration;
  /**
   * Whether a client can resume a stream. The server then keeps the messages that it has sent on streams, in memory
   * or in `stores.events`. Default true.
   */
  resumable?: boolean;
  /**
   * How long a sealed id is accepted, even if the session is used all the time. Default 24 hours. After `idle`
   * without use, such a session only leaves the memory of its process. More than 0; `Infinity`: for ever.
   */
  lifetime?: Duration;
  /**
   * What a process does with the session of another process while the claim store (`stores.claims`) does not answer: it cannot know whether the client has ended the session. `'read'` (default)
   * serves everything but tools without `readOnlyHint`. `'refuse'` answers 503.
   */
  whenUnverified?: 'read' | 'refuse';
  /**
   * How long a client has to answer a request of the server. Default 10 minutes. More than 0; `Infinity`: as
   * long as it likes.
   */
  answerTimeout?: Duration;
  /**
   * On 2025-11-25: after how long a running call lets go of its connection. The client comes
   * back for the result with `Last-Event-ID`. This is for proxies that cut long responses. Use it only when
   * you know the clients: a client that does not come back waits for its answer for ever, and the server
   * cannot recognise such a client beforehand. Default: never. 0: at once; `Infinity`: never.
   */
  pollAfter?: Duration;
}

/** The options after their defaults were filled in. */
export interface SessionSettings extends Required<
  WithDefaults<Omit<SessionOptions, 'pollAfter' | 'maxPerTenant'>>
> {
  pollAfter: number | undefined;
  maxPerTenant?: number;
}

const TEN_MINUTES = 600_000;
const ONE_DAY = 86_400_000;

export const sessionOptions = {
  max: { ...named('a number of sessions', count), default: 10_000 },
  maxPerPrincipal: { ...named('a number of sessions', count), default: 1_000 },
  maxPerTenant: named('a number of sessions', positiveCount),
  maxAnonymous: named('a number of sessions', count),
  idle: { ...durationToInfinity, default: 3 * TEN_MINUTES },
  resumable: { ...flag, default: true },
  lifetime: { ...durationToInfinity, default: ONE_DAY },
  whenUnverified: { ...oneOf('read', 'refuse'), default: 'read' },
  answerTimeout: { ...durationToInfinity, default: TEN_MINUTES },
  pollAfter: anyDuration,
} satisfies OptionSchema<SessionOptions>;

export function resolveSessions(options: SessionOptions): SessionSettings {
  const { pollAfter, maxAnonymous, ...settings } = withDefaults(sessionOptions, options);
  return {
    ...settings,
    maxAnonymous: maxAnonymous ?? settings.max,
    // Without stored events, a client would find nothing when it comes back.
    pollAfter: settings.resumable ? pollAfter : undefined,
  };
}
