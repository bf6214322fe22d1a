import type { MaybePromise } from '../../base/maybe-promise.js';
import type { RpcNotification, RpcRequest, RpcResponse } from '../messages/json-rpc.js';
import type { Reply } from '../messages/reply.js';
import type { Peer, ResponseChannel } from '../requests/response-channel.js';
import type { Session } from '../sessions/session.js';
import type { MessageListeners } from './message-listeners.js';
import { WatchedChannel } from './watched-channel.js';

type Serve = (exchange: ResponseChannel) => MaybePromise<Reply | undefined>;

/** Tells listeners about the messages of transports whose messages arrive separately, such as HTTP. */
export class MessageWatch {
  readonly #sessions = new WeakMap<Session, WatchedChannel>();

  constructor(private readonly listeners: MessageListeners) {}

  get isOn(): boolean {
    return this.listeners.size > 0;
  }

  /** A message that goes no further, with its answer if it has one. */
  refused(body: unknown, peer: Pick<Peer, 'principal'>, reply?: Reply): void {
    const channel = new WatchedChannel(this.listeners, peer);
    channel.received(body);
    if (reply) channel.sent(reply.text);
  }

  /** A request of the stateless era, and everything that is sent for it. */
  stateless(request: RpcRequest, exchange: ResponseChannel, serve: Serve): MaybePromise<Reply | undefined> {
    return watched(new WatchedChannel(this.listeners, exchange.peer), request, exchange, serve);
  }

  /** A request in a session. */
  stateful(
    { message, session }: { message: RpcRequest; session: Session },
    exchange: ResponseChannel,
    serve: Serve,
  ): MaybePromise<Reply | undefined> {
    return watched(this.#channelOf(session, exchange.peer), message, exchange, serve);
  }

  /** A handshake, which opens a session or is refused. */
  opened(request: RpcRequest, peer: Peer, { reply, session }: { reply: Reply; session?: Session }): void {
    const channel = session ? this.#channelOf(session, peer) : new WatchedChannel(this.listeners, peer);
    channel.received(onWire(request));
    channel.sent(reply.text);
  }

  heard(session: Session, message: RpcNotification | RpcResponse): void {
    this.#channelOf(session).received(onWire(message));
  }

  /** A message to the client of a session that belongs to no request. */
  announced(session: Session, text: string): void {
    this.#channelOf(session).sent(text);
  }

  #channelOf(session: Session, peer: Pick<Peer, 'principal'> = { principal: undefined }): WatchedChannel {
    let channel = this.#sessions.get(session);
    if (!channel) {
      const name = session.lasting ? `session ${session.key.slice(0, 12)}` : undefined;
      channel = new WatchedChannel(this.listeners, peer, name, session.client.info);
      this.#sessions.set(session, channel);
    }
    return channel;
  }
}

function watched(
  channel: WatchedChannel,
  request: RpcRequest,
  exchange: ResponseChannel,
  serve: Serve,
): MaybePromise<Reply | undefined> {
  const { peer, cancellation } = exchange;
  channel.received(onWire(request));
  const told = (reply: Reply | undefined) => {
    if (reply) channel.sent(reply.text);
    return reply;
  };
  const reply = serve({
    peer,
    cancellation,
    send: (text) => {
      channel.sent(text);
      exchange.send(text);
    },
  });
  return reply instanceof Promise ? reply.then(told) : told(reply);
}

/** A message as it came. */
function onWire(message: RpcRequest | RpcNotification | RpcResponse): object {
  const { kind: _, ...rest } = message;
  const { envelope: __, ...wire } = rest as { envelope?: unknown };
  return { jsonrpc: '2.0', ...wire };
}
