import { knownPrincipal } from '../../base/log.js';
import type { ClientDescription, RequestId } from '../../base/request-context.js';
import { readClientInfo } from '../messages/envelope.js';
import { isJsonObject, isRequestId, type JsonObject } from '../messages/json-rpc.js';
import { metaKeys } from '../messages/meta-keys.js';
import type { Peer } from '../requests/response-channel.js';
import { hideInError, hideInMessage, hideInResult, type Asked } from './hide-secrets.js';
import type { MessageListeners } from './message-listeners.js';

/** How many requests of one channel are remembered, to know what their answers belong to. */
const MAX_OPEN = 1_000;

/** The messages of one channel, for those who listen to messages. */
export class WatchedChannel {
  readonly #open = new Map<RequestId, Asked>();
  /** The questions of the server that have no answer yet. */
  readonly #questions = new Set<RequestId>();
  #client: ClientDescription['info'] | undefined;

  constructor(
    private readonly listeners: MessageListeners,
    private readonly peer: Pick<Peer, 'principal'> & { readonly transport?: Peer['transport'] },
    private readonly name = listeners.nameChannel(),
    client?: ClientDescription['info'],
  ) {
    this.#client = client;
  }

  /** @param body a parsed message, or a batch of them */
  received(body: unknown): void {
    if (Array.isArray(body)) body.forEach((message) => this.received(message));
    else if (isJsonObject(body)) this.#tell('received', this.#incoming(body));
  }

  /** Says what a request asks for that was told elsewhere. */
  expect(id: RequestId, asked: Asked): void {
    if (this.#open.size >= MAX_OPEN) this.#open.delete(this.#open.keys().next().value!);
    this.#open.set(id, asked);
    this.#client ??= clientOf(asked);
  }

  /** @param text one message as JSON, or a batch of them */
  sent(text: string): void {
    if (this.listeners.size === 0) return;
    const body = JSON.parse(text) as unknown;
    for (const message of Array.isArray(body) ? body : [body])
      this.#tell('sent', isJsonObject(message) ? this.#outgoing(message) : message);
  }

  #incoming(message: JsonObject): JsonObject {
    const { id, method, params } = message;
    const isAnswer = isRequestId(id) && this.#questions.delete(id);
    if (typeof method === 'string' && isRequestId(id))
      this.expect(id, { method, params: isJsonObject(params) ? params : {} });
    return hideInMessage(message, isAnswer, this.listeners.registry);
  }

  #outgoing(message: JsonObject): JsonObject {
    const { id, method, result, error, params } = message;
    if (method !== undefined && isRequestId(id)) {
      if (this.#questions.size >= MAX_OPEN) this.#questions.delete(this.#questions.values().next().value!);
      this.#questions.add(id);
    }
    const { registry } = this.listeners;
    if (isJsonObject(params)) return { ...message, params: hideInResult(params, undefined, registry) };
    const asked = isRequestId(id) ? this.#open.get(id) : undefined;
    if (isRequestId(id)) this.#open.delete(id);
    if (isJsonObject(error)) return { ...message, error: hideInError(error, asked, registry) };
    if (!isJsonObject(result)) return message;
    return { ...message, result: hideInResult(result, asked, registry) };
  }

  #tell(direction: 'received' | 'sent', message: unknown): void {
    const { principal, transport = 'http' } = this.peer;
    this.listeners.observe({
      direction,
      transport,
      channel: this.name,
      principal: knownPrincipal(principal),
      client: this.#client,
      message,
    });
  }
}

/** What a client says about itself in a handshake, or in a stateless request. */
function clientOf({ method, params }: Asked): ClientDescription['info'] | undefined {
  const { _meta: meta } = params;
  const said =
    method === 'initialize' ? params['clientInfo'] : isJsonObject(meta) && meta[metaKeys.clientInfo];
  return said ? readClientInfo(said).info : undefined;
}
