import { type KnownPrincipal, knownPrincipal } from '@toolwright/ground/base/log';
import type { ClientDescription, Principal, RequestId } from '@toolwright/ground/base/request-context';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import { getOrMake, Listeners, type MaybePromise } from '@toolwright/json';
import { readClientInfo } from '@toolwright/wire/classify';
import {
  type JsonObject,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  isJsonObject,
  isRequestId,
  metaKeys,
} from '@toolwright/wire/json-rpc';
import { readNames, writeNames } from '@toolwright/wire/methods';
import type { Reply } from '@toolwright/wire/reply';
import type { Peer, ResponseChannel } from '@toolwright/wire/response-channel';
import { namesOf } from '@toolwright/wire/revisions';
import type { Session } from '../sessions/session.js';
import type { ChannelWatch, WatchedMessages } from '../sessions/open-session.js';
import {
  type Asked,
  hideInError,
  hideInMessage,
  hideInResult,
  hideInSaid,
  hideInUnknownResult,
  type OpenQuestion,
} from './hide-secrets.js';

/** What a request is about. */
type RequestSubject = Pick<Asked, 'operation' | 'forwarded'>;

type Serve = (channel: ResponseChannel) => MaybePromise<Reply | undefined>;

/** Tells listeners about the messages of transports whose messages arrive separately, such as HTTP. */
export class MessageWatch implements ChannelWatch {
  readonly #sessions = new WeakMap<Session, WatchedChannel>();

  constructor(private readonly listeners: MessageListeners) {}

  get isOn(): boolean {
    return this.listeners.size > 0;
  }

  open(peer: Pick<Peer, 'principal'>): WatchedMessages {
    return new WatchedChannel(this.listeners, peer);
  }

  /** A message that goes no further, with its answer if it has one. */
  refused(body: unknown, peer: Pick<Peer, 'principal'>, reply?: Reply): void {
    const channel = new WatchedChannel(this.listeners, peer);
    channel.received(body);
    if (reply) channel.sent(reply.text);
  }

  /** A request of the stateless era, and everything that is sent for it. */
  stateless(request: RpcRequest, channel: ResponseChannel, serve: Serve): MaybePromise<Reply | undefined> {
    return watched(new WatchedChannel(this.listeners, channel.peer), request, channel, serve);
  }

  /** A request in a session. */
  stateful(
    { message, session }: { message: RpcRequest; session: Session },
    channel: ResponseChannel,
    serve: Serve,
  ): MaybePromise<Reply | undefined> {
    return watched(this.#channelOf(session, channel.peer), message, channel, serve);
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
    return getOrMake(this.#sessions, session, () => new WatchedChannel(this.listeners, peer, session));
  }
}

type WatchedPeer = Pick<Peer, 'principal'> & { readonly transport?: Peer['transport'] };

function watched(
  watch: WatchedChannel,
  request: RpcRequest,
  channel: ResponseChannel,
  serve: Serve,
): MaybePromise<Reply | undefined> {
  const { peer, cancellation } = channel;
  watch.received(onWire(request), peer);
  const report = (reply: Reply | undefined) => {
    if (reply) watch.sent(reply.text);
    return reply;
  };
  const reply = serve({
    peer,
    cancellation,
    get isBehind() {
      return channel.isBehind;
    },
    send: (text) => {
      watch.sent(text, request.id);
      channel.send(text);
    },
    isAbout: (operation) => watch.isAbout(request.id, operation),
  });
  return reply instanceof Promise ? reply.then(report) : report(reply);
}

/** A message as it came. */
function onWire(message: RpcRequest | RpcNotification | RpcResponse): object {
  const { kind: _, ...rest } = message;
  const {
    envelope: __,
    plan: ___,
    inexact: ____,
    ...wire
  } = rest as { envelope?: unknown; plan?: unknown; inexact?: unknown };
  return { jsonrpc: '2.0', ...wire };
}

/** How many requests of one channel are remembered, to know what their answers belong to. */
const MAX_OPEN = 1_000;

/** The messages of one channel, for those who listen to messages. */
class WatchedChannel {
  /** `undefined`: two open requests have the id, so nobody knows which one an answer belongs to. */
  readonly #open = new Map<RequestId, Asked | undefined>();
  /** The questions of the server that have no answer yet. */
  readonly #questions = new Map<RequestId, OpenQuestion>();
  readonly #name: string;
  #client: ClientDescription['info'] | undefined;
  /** The revision of messages that do not say theirs. */
  #revision: string | undefined;

  constructor(
    private readonly listeners: MessageListeners,
    private peer: WatchedPeer,
    session?: Session,
  ) {
    this.#name = session?.lasting ? `session ${session.key.slice(0, 12)}` : listeners.nameChannel();
    this.#client = session?.client.info;
    this.#revision = session?.revision;
  }

  /**
   * @param body a parsed message, or a batch of them
   * @param peer the sender: the caller of a session may come with another token than before
   */
  received(body: unknown, peer = this.peer): void {
    this.peer = peer;
    if (Array.isArray(body)) body.forEach((message) => this.received(message, peer));
    else if (isJsonObject(body)) this.#tell('received', this.#incoming(body));
  }

  isAbout(id: RequestId, operation: BoundOperation | undefined): void {
    const asked = this.#open.get(id);
    if (asked) asked.operation = operation;
  }

  /**
   * @param text one message as JSON, or a batch of them
   * @param about the request for which it is sent before its answer
   */
  sent(text: string, about?: RequestId): void {
    if (this.listeners.size === 0) return;
    const body = JSON.parse(text) as unknown;
    for (const message of Array.isArray(body) ? body : [body])
      this.#tell('sent', isJsonObject(message) ? this.#outgoing(message, about) : message);
  }

  #incoming(sent: JsonObject): JsonObject {
    const names = namesOf(revisionIn(sent['params']) ?? this.#revision);
    const message = readNames(names, sent);
    const { id, method, params } = message;
    const answers = method === undefined && isRequestId(id) ? this.#questions.get(id) : undefined;
    if (answers) this.#questions.delete(id as RequestId);
    const asked =
      typeof method === 'string' && isRequestId(id)
        ? this.listeners.read({ method, params: isJsonObject(params) ? params : {} }, this.peer.principal)
        : undefined;
    if (asked) this.#expect(id as RequestId, asked);
    return writeNames(names, hideInMessage(message, { asked, answers }, this.listeners.registry));
  }

  #expect(id: RequestId, asked: Asked): void {
    if (this.#open.size >= MAX_OPEN) this.#open.delete(this.#open.keys().next().value!);
    this.#open.set(id, this.#open.has(id) ? undefined : asked);
    this.#client ??= clientOf(asked);
  }

  #outgoing(message: JsonObject, about?: RequestId): JsonObject {
    const { id, method, result, error, params } = message;
    const source = about === undefined ? undefined : this.#open.get(about);
    if (method !== undefined && isRequestId(id)) {
      if (this.#questions.size >= MAX_OPEN) this.#questions.delete(this.#questions.keys().next().value!);
      this.#questions.set(id, { about: source });
    }
    const { registry } = this.listeners;
    if (isJsonObject(params)) {
      return { ...message, params: hideInSaid(params, source, registry) };
    }
    const asked = isRequestId(id) ? this.#open.get(id) : undefined;
    if (isRequestId(id)) this.#open.delete(id);
    if (isJsonObject(error)) return { ...message, error: hideInError(error, asked, registry) };
    if (!isJsonObject(result)) return message;
    if (!asked) return { ...message, result: hideInUnknownResult(result, registry) };
    if (asked.method === 'initialize') this.#revision = textOf(result['protocolVersion']);
    return { ...message, result: hideInResult(result, asked, registry) };
  }

  #tell(direction: 'received' | 'sent', message: unknown): void {
    const { principal, transport = 'http' } = this.peer;
    this.listeners.observe({
      direction,
      transport,
      channel: this.#name,
      principal: knownPrincipal(principal),
      client: this.#client,
      message,
    });
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The revision that a stateless request names. */
function revisionIn(params: unknown): string | undefined {
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  return isJsonObject(meta) ? textOf(meta[metaKeys.protocolVersion]) : undefined;
}

/** What a client says about itself in a handshake, or in a stateless request. */
function clientOf({ method, params }: Asked): ClientDescription['info'] | undefined {
  const { _meta: meta } = params;
  const said =
    method === 'initialize' ? params['clientInfo'] : isJsonObject(meta) && meta[metaKeys.clientInfo];
  return said ? readClientInfo(said).info : undefined;
}

/** Who wants to know of messages. While there is nobody, messages are not observed. */
export class MessageListeners extends Listeners<ObservedMessage> {
  #messages = 0;
  #channels = 0;

  constructor(
    readonly registry: Registry,
    private readonly ports: { readonly clock: Clock; readonly logger: Logger },
  ) {
    super(ports.logger, 'A listener to messages failed');
  }

  /** Is called when the first listener comes and when the last one has gone. */
  onSwitch: () => void = () => undefined;

  /** Finds what a request is about, as its method does. The protocol sets it. */
  find: (method: string, params: JsonObject, principal: Principal | undefined) => RequestSubject = () => ({});

  /** A request, with what decides what is hidden in it and in its answer. */
  read(asked: Pick<Asked, 'method' | 'params'>, principal: Principal | undefined): Asked {
    try {
      return { ...asked, ...this.find(asked.method, asked.params, principal) };
    } catch {
      // Several operations are for this caller, or a rule of the application has failed: the request fails, too.
      return asked;
    }
  }

  override add(listener: MessageListener): this {
    super.add(listener);
    if (this.size === 1) this.onSwitch();
    return this;
  }

  override delete(listener: MessageListener): boolean {
    const wasThere = super.delete(listener);
    if (wasThere && this.size === 0) this.onSwitch();
    return wasThere;
  }

  /** A name for a channel that has none. */
  nameChannel(): string {
    return `channel ${++this.#channels}`;
  }

  /** Tells all listeners. */
  observe(observed: Omit<ObservedMessage, 'number' | 'at'>): void {
    this.tell({ ...observed, number: ++this.#messages, at: this.ports.clock.now() });
  }
}

/** A JSON-RPC message between a client and the server. */
export interface ObservedMessage {
  /** Counts the messages that were observed: 1, 2, 3 and so on. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly direction: 'received' | 'sent';
  readonly transport: 'http' | 'stdio' | 'memory';
  /**
   * The same for all messages of one channel: a connection (stdio), a session of a stateful revision, or one request
   * and what is sent for it. It says nothing about the id of a session, which is like a password.
   */
  readonly channel: string;
  readonly principal: KnownPrincipal | undefined;
  readonly client: ClientDescription['info'] | undefined;
  /**
   * The message. Values marked sensitive are hidden, and so are sealed states. What could not be read as JSON is left
   * out.
   */
  readonly message: unknown;
}

export type MessageListener = (observed: ObservedMessage) => void;
