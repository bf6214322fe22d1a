import { randomBytes } from 'node:crypto';
import type { LogLevel, Principal, RequestId } from '@toolwright/ground/base/request-context';
import { Outage } from '@toolwright/ground/call/limits/timed-store';
import type { EventBus } from '@toolwright/ground/ports/event-bus';
import type { Logger } from '@toolwright/ground/ports/logger';
import { Seal } from '@toolwright/json';
import type { RpcResponse } from '@toolwright/wire/json-rpc';

/** What the processes that serve one session tell each other. */
export type SessionMessage =
  | { readonly kind: 'initialized' | 'ended' }
  /** The client has changed its log level, or one of its subscriptions. */
  | { readonly kind: 'level'; readonly level: LogLevel }
  | { readonly kind: 'subscribed' | 'unsubscribed'; readonly uri: string }
  /** The client has come with another token, and has other rights now. */
  | { readonly kind: 'principal'; readonly principal: Principal }
  /** An answer of the client, for the process that asked. */
  | { readonly kind: 'answer'; readonly response: RpcResponse }
  | { readonly kind: 'cancelled'; readonly requestId: RequestId }
  /**
   * The client has connected its stream for changes to the sender. The other processes stop their streams and say
   * `released`.
   */
  | { readonly kind: 'listening'; readonly claim?: ListeningClaim }
  | { readonly kind: 'released' }
  /** The client has resumed this stream at the sender. Its owner says `grown` now and for every event. */
  | { readonly kind: 'wanted'; readonly stream: string }
  /** Asks the owner of a stream whether it still runs. It says `grown`, or `back` if it has the client itself. */
  | { readonly kind: 'watched'; readonly stream: string }
  /** The client of this stream has come back to its owner. */
  | { readonly kind: 'back'; readonly stream: string }
  | { readonly kind: 'grown'; readonly stream: string };

/** Says which of several processes has taken the stream for changes last. */
export interface ListeningClaim {
  /** Higher than every turn that the process had heard of. */
  readonly turn: number;
  /** Random. It decides between equal turns. */
  readonly by: string;
  /** True when its process heard an earlier claim after it had made its own. */
  readonly isRepeated?: boolean;
}

export type HearSession = (message: SessionMessage) => void;

/** Carries messages about sessions between the processes of one server, sealed, over the bus. */
export class SessionPeers {
  readonly #instance = randomBytes(6).toString('base64url');
  readonly #seal: Seal;
  readonly #listeners = new Map<string, HearSession>();
  readonly #outage: Outage;
  #unsubscribe: (() => void) | undefined;

  constructor(
    secrets: readonly string[],
    private readonly ports: { bus: EventBus; logger: Logger },
  ) {
    this.#seal = new Seal(secrets, 'session message', { logger: ports.logger });
    this.#outage = new Outage('event bus', ports.logger, 'other processes hear nothing about sessions');
  }

  /** Hears what other processes tell about a session. The returned function ends this. */
  join(key: string, hear: HearSession): () => void {
    this.#unsubscribe ??= this.ports.bus.subscribe((event) => {
      if (event.type === 'sessionMessage') this.#receive(event.session, event.sealed);
    });
    this.#listeners.set(key, hear);
    return () => {
      // Another listener may have taken its place.
      if (this.#listeners.get(key) === hear) this.#listeners.delete(key);
      if (this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  }

  tell(key: string, message: SessionMessage): void {
    const sealed = this.#seal.seal({ from: this.#instance, message }, key);
    void this.#outage.ask(() => this.ports.bus.publish({ type: 'sessionMessage', session: key, sealed }));
  }

  #receive(key: string, sealed: string): void {
    const hear = this.#listeners.get(key);
    const opened = hear && (this.#seal.open(sealed, key) as Sealed | undefined);
    if (opened && opened.from !== this.#instance) hear(opened.message);
  }
}

interface Sealed {
  readonly from: string;
  readonly message: SessionMessage;
}
