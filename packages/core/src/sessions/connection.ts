import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import { JsonRpcCode, ProtocolError } from '@toolwright/ground/base/errors/errors';
import type { Era, RequestId } from '@toolwright/ground/base/request-context';
import type { MaybePromise } from '@toolwright/json';
import { type StatelessMessage, classify } from '@toolwright/wire/classify';
import {
  isRequestId,
  wantsAnswer,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  resultText,
  metaKeys,
  readText,
  TooManyPartsError,
} from '@toolwright/wire/json-rpc';
import { type MethodNames, notificationIn, readNames } from '@toolwright/wire/methods';
import { invalidParams, methodNotFound, unsupportedVersion } from '@toolwright/wire/protocol-errors';
import { type Reply, errorReply } from '@toolwright/wire/reply';
import { Cancellation, type Peer, type ResponseChannel } from '@toolwright/wire/response-channel';
import { planStateless, type StatelessRequest } from '../requests/read.js';
import type { EventSink } from './event-stream.js';
import { findPrincipalProblem } from '../requests/engine.js';
import { noteRefusedMessage } from '../requests/refusals.js';
import { initializeResult, readHandshake, type SessionEngine, type WatchedMessages } from './open-session.js';
import { hearNotification, serveStateful } from './serve-stateful.js';
import { serveStateless } from '../requests/serve.js';
import type { Session } from './session.js';

/** The way to the client of a connection. */
interface Outgoing {
  send(this: void, text: string): void;
  /** True while much of what was sent waits for the client. */
  isBehind?: (() => boolean) | undefined;
}

/**
 * One client on a two-way channel: stdio, or memory in tests. Its first message decides the era for the whole
 * connection. A `server/discover` probe does not decide it (obligations: one endpoint, two eras).
 */
export class Connection {
  #peer: Peer;
  #era: Era | undefined;
  #session: Session | undefined;
  /** Of the latest request of the stateless era, if its revision renames methods. */
  #names: MethodNames | undefined;
  #unsubscribe: (() => void) | undefined;
  #channel: WatchedMessages | undefined;
  /** @param about the request for which it is sent before its answer */
  private readonly send: (text: string, about?: RequestId) => void;
  readonly #isBehind: Outgoing['isBehind'];
  /** The requests of the stateless era that are being answered. */
  readonly #running = new Map<RequestId, { cancellation: Cancellation; method: string }>();

  /** @throws {ConfigurationError} when this principal cannot be served */
  constructor(
    private readonly engine: SessionEngine,
    peer: Peer,
    { send: write, isBehind }: Outgoing,
  ) {
    this.#isBehind = isBehind;
    this.send = (text, about) => {
      if (engine.watch.isOn) this.#watched().sent(text, about);
      write(text);
    };
    const problem = findPrincipalProblem(peer.principal, engine.host);
    if (problem) throw new ConfigurationError(problem);
    this.#peer = peer;
  }

  /** Takes one line of text. */
  receiveText(text: string): void {
    let body: unknown;
    try {
      body = readText(text);
    } catch (error) {
      const reason = error instanceof TooManyPartsError ? error.message : 'The message is not JSON.';
      this.#refuse(undefined, new ProtocolError(JsonRpcCode.parseError, reason));
      return;
    }
    this.receive(body);
  }

  /**
   * Takes one parsed message, or an array of them.
   *
   * @param peer the sender, for channels whose messages arrive separately: the caller's rights may have
   *   changed since the channel was opened
   * @param isReadElsewhere whether other code than ours has made a value of the text
   */
  receive(body: unknown, peer: Peer = this.#peer, isReadElsewhere = false): void {
    this.#peer = peer;
    this.#session?.comesAs(peer.principal);
    const classified = classify(body, { isReadElsewhere }, this.engine.revisions);
    if (this.engine.watch.isOn) this.#watched().received(body, peer);
    switch (classified.kind) {
      case 'refused':
        this.#note(body, classified.error);
        return classified.silent ? undefined : this.#refuse(classified.id, classified.error);
      case 'initialize':
        return this.#initialize(classified.message);
      case 'stateless':
        return this.#stateless(classified.message);
      case 'statelessNotification':
        return this.#notification(classified.message);
      case 'stateful':
        return this.#stateful(classified.message, (text) => this.send(text));
      case 'batch':
        return this.#batch(classified.messages);
    }
  }

  /** Cancels all running requests, because the client has gone or must go. */
  close(reason: unknown = new Error('The connection was closed.')): void {
    this.#unsubscribe?.();
    for (const [id, { cancellation, method }] of [...this.#running]) {
      // When a subscription ends without a result, the server cancels it (basic/patterns/cancellation).
      if (method === 'subscriptions/listen')
        this.send(notificationIn(this.#names, 'notifications/cancelled', { requestId: id }));
      cancellation.abort(reason);
    }
    this.#session?.close(reason);
  }

  #initialize({ id, params }: RpcRequest): void {
    const { engine } = this;
    try {
      if (this.#era === 'stateless' || !engine.settings.stateful)
        throw unsupportedVersion(String(params['protocolVersion']), engine.revisions);
      const { revision, client } = readHandshake(params, engine.revisions);
      // A gateway may pass the handshakes of several clients on to the one process that it has. They share a session.
      if (this.#session) return this.#welcome(id, this.#session);
      const session = engine.sessions.connected(revision, client, this.#peer.principal);
      const sink: EventSink = { write: (text) => this.send(text), close: () => undefined };
      session.streams.listen(sink);
      this.#unsubscribe = engine.subscriptions.add({
        get principal() {
          return session.principal;
        },
        watches: (uri) => session.watches(uri),
        hear: (event) => session.hear(event),
        end: () => undefined,
      });
      this.#session = session;
      this.#era = 'stateful';
      this.#welcome(id, session);
    } catch (error) {
      this.#refuse(id, error);
    }
  }

  #welcome(id: RequestId, { revision }: Session): void {
    const { codec } = this.engine.served.get(revision)!;
    const { principal } = this.#peer;
    this.send(resultText(id, initializeResult(this.engine, codec, { principal, lasts: true })));
  }

  #stateless(message: StatelessMessage): void {
    if (this.#era === 'stateful') return this.#stateful(message, (text) => this.send(text));
    const { id, envelope } = message;
    if (!this.engine.revisions.isStateless(envelope.version)) {
      const error = unsupportedVersion(envelope.version, this.engine.revisions);
      this.#note(message, error);
      return this.#refuse(id, error);
    }
    this.#names = this.engine.served.get(envelope.version)!.codec.names;
    const { method } = readNames(this.#names, message);
    if (method !== 'server/discover') this.#era = 'stateless';
    const channel = this.#open(id);
    this.#running.set(id, { cancellation: channel.cancellation, method });
    const finish = (text: string | undefined) => {
      if (this.#running.get(id)?.cancellation === channel.cancellation) this.#running.delete(id);
      if (text !== undefined) this.send(text);
    };
    const reply = this.#serve(message, channel);
    if (reply instanceof Promise) void reply.then((settled) => finish(settled?.text));
    else finish(reply?.text);
  }

  #serve(message: StatelessMessage, channel: ResponseChannel): MaybePromise<Reply | undefined> {
    let planned: StatelessRequest;
    try {
      planned = planStateless(this.engine, message, this.#peer.principal);
    } catch (error) {
      return errorReply(message.id, error, { era: 'stateless', logger: this.engine.host.logger });
    }
    return serveStateless(this.engine, planned, channel);
  }

  #stateful(message: RpcRequest | RpcNotification | RpcResponse, answer: (text: string) => void): void {
    if (message.kind === 'response') return this.#session?.answer(message);
    if (message.kind === 'notification') return this.#notification(message);
    const session = this.#session;
    if (!session) return this.#early(message, answer);
    const route = { session, canAsk: true };
    const reply = serveStateful(this.engine, { message, route }, this.#open(message.id));
    if (reply instanceof Promise) void reply.then((settled) => settled && answer(settled.text));
    else if (reply) answer(reply.text);
  }

  /** Handles a request that has no envelope and no session. */
  #early({ id, method, params }: RpcRequest, answer: (text: string) => void): void {
    const { stateful } = this.engine.settings;
    if (stateful && this.#era !== 'stateless' && method === 'ping') return answer(resultText(id, '{}'));
    const error =
      this.#era === 'stateless'
        ? invalidParams(`Invalid request metadata: "${metaKeys.protocolVersion}" is required.`)
        : stateful
          ? new ProtocolError(JsonRpcCode.invalidRequest, 'Send "initialize" first.')
          : unsupportedVersion(String(params['protocolVersion'] ?? 'none'), this.engine.revisions);
    this.#note({ method, params }, error);
    answer(this.#errorText(id, error));
  }

  #notification(message: RpcNotification): void {
    if (this.#session) hearNotification(this.#session, message);
    const { method, params } = readNames(this.#names, message);
    const { requestId } = params;
    if (method !== 'notifications/cancelled' || !isRequestId(requestId)) return;
    this.#running.get(requestId)?.cancellation.abort(new Error('The client cancelled the request.'));
  }

  /**
   * Handles a batch; only some revisions have them. The answers are sent in one array, after the last one is
   * there.
   */
  #batch(messages: readonly RpcMessage[]): void {
    if (!this.#session || !this.engine.served.get(this.#session.revision)!.codec.features.batches) {
      return this.#refuse(
        undefined,
        new ProtocolError(JsonRpcCode.invalidRequest, 'Send one message at a time.'),
      );
    }
    const answers: string[] = [];
    let open = messages.filter(wantsAnswer).length;
    const collect = (text: string) => {
      answers.push(text);
      if (--open === 0) this.send(`[${answers.join(',')}]`);
    };
    for (const message of messages) {
      if (message.kind === 'malformed') {
        if (message.silent) continue;
        collect(this.#errorText(message.id, new ProtocolError(message.code, message.reason)));
      } else if (message.kind === 'request' && message.method === 'initialize') {
        collect(this.#errorText(message.id, methodNotFound('initialize')));
      } else {
        this.#stateful(message, collect);
      }
    }
  }

  /** The messages of this connection, for those who listen to messages. */
  #watched(): WatchedMessages {
    return (this.#channel ??= this.engine.watch.open(this.#peer));
  }

  #open(id: RequestId): ResponseChannel {
    const isBehind = this.#isBehind;
    return {
      peer: this.#peer,
      cancellation: new Cancellation(),
      send: (text) => this.send(text, id),
      isAbout: this.engine.watch.isOn ? (operation) => this.#watched().isAbout(id, operation) : undefined,
      get isBehind() {
        return isBehind?.();
      },
    };
  }

  #note(body: unknown, error: ProtocolError): void {
    noteRefusedMessage(this.engine, body, { peer: this.#peer, error });
  }

  #refuse(id: RequestId | null | undefined, error: unknown): void {
    this.send(this.#errorText(id, error));
  }

  #errorText(id: RequestId | null | undefined, error: unknown): string {
    return errorReply(id, error, { era: this.#era ?? 'stateless', logger: this.engine.host.logger }).text;
  }
}
