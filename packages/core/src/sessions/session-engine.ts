import type { RequestId } from '../base/request-context.js';
import type { BoundOperation } from '../call/operation/operation.js';
import type { Engine } from '../requests/active-request.js';
import type { RequestSettings } from '../requests/engine.js';
import type { QuotaPool } from '../requests/quota-pool.js';
import type { Peer } from '../wire/response-channel.js';
import type { Audiences } from './audiences.js';
import type { ListenStream } from './listen.js';
import type { SessionSettings } from './session-options.js';
import type { SessionStore } from './session-store.js';
import type { Subscriptions } from './subscriptions.js';

/** The parts of one server's protocol that sessions and connections use besides those of requests. */
export interface SessionEngine extends Engine {
  readonly settings: RequestSettings & { readonly sessions: SessionSettings | undefined };
  readonly sessions: SessionStore;
  readonly subscriptions: Subscriptions;
  /** Knows who may hear of updates that are not for everybody. */
  readonly audiences: Audiences;
  /** The open `subscriptions/listen` streams. */
  readonly listeners: QuotaPool<ListenStream>;
  /** Shows messages to those who listen to them. */
  readonly watch: ChannelWatch;
}

/** Shows the messages of channels to those who listen to them. */
export interface ChannelWatch {
  /** False while nobody listens. */
  readonly isOn: boolean;
  open(peer: Pick<Peer, 'principal'>): WatchedMessages;
}

/** The messages of one channel. */
export interface WatchedMessages {
  /** A message of the client, parsed, and who has sent it. */
  received(body: unknown, peer: Pick<Peer, 'principal'>): void;
  /** A message to the client, as text. */
  sent(text: string): void;
  /** What an open request is about, where only its method could find out. */
  isAbout(id: RequestId, operation: BoundOperation | undefined): void;
}
