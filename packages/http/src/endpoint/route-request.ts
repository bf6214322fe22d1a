import {
  AnswerPause,
  Cancellation,
  PIECE_LENGTH,
  type Peer,
  type Reply,
  type ResponseChannel,
  type StatelessRequest,
  readText,
  TooManyPartsError,
} from '@toolwright/core/transport';
import { mediaTypeIn } from '@toolwright/json';
import { notJson, tooLarge, tooManyParts } from './body-failures.js';
import type { Exchange } from './exchange.js';
import type { Endpoint, HttpCall } from './http-call.js';
import { HttpFailure, INVALID_REQUEST } from './http-failure.js';
import { oldSessionId } from './old-sse.js';
import { passError } from './pass-error.js';
import { postBatch, postInitialize, postStateful } from './post-stateful.js';
import { refuse } from './refuse.js';
import { sendWhole } from './send-whole.js';
import { answerForm, type Challenging, lockedText, sendAccepted, sendFailure, sendReply } from './respond.js';
import { deleteSession, getStream, methodNotAllowed } from './session-stream.js';
import { SseStream } from './sse-stream.js';

/** Answers a request by its method. */
export function routeRequest(call: HttpCall): void {
  const { endpoint, exchange } = call;
  switch (exchange.method) {
    case 'POST':
      return post(call);
    case 'GET':
      if (endpoint.landing?.show(exchange)) return;
      return endpoint.oldSse && opensOldStream(call) ? endpoint.oldSse.get(call) : getStream(call);
    case 'DELETE':
      return deleteSession(call);
    default:
      return sendFailure(
        exchange,
        methodNotAllowed(endpoint.protocol.stateful?.hasSessions ? 'POST, GET, DELETE' : 'POST'),
      );
  }
}

/**
 * Clients of 2024-11-05 have no such sessions. Some of them still name a newer revision: the AI SDK sends its newest
 * one with every request, on every transport.
 */
function opensOldStream({ exchange, endpoint }: HttpCall): boolean {
  const version = exchange.header('mcp-protocol-version');
  return (
    exchange.header('mcp-session-id') === undefined &&
    (version === undefined || endpoint.protocol.eraOf(version) === 'stateful')
  );
}

function post(call: HttpCall): void {
  const { endpoint, exchange, peer } = call;
  const { oldSse } = endpoint;
  const oldSession = oldSse && oldSessionId(exchange);
  if (oldSession === undefined) {
    const accept = exchange.header('accept');
    const form = accept === undefined || usual.has(accept) ? 'json' : answerForm(accept);
    if (form === 'none') return refuse(call, notAcceptable());
    return receive(call, (body, isReadElsewhere) =>
      dispatch(call, { body, isReadElsewhere }, form === 'only stream'),
    );
  }
  const connection = oldSse!.find(call, oldSession);
  if (!connection) return;
  receive(call, (body, isReadElsewhere) => {
    sendAccepted(exchange);
    connection.receive(body, peer, isReadElsewhere);
  });
}

/** What nearly all clients accept. Whoever reads the rest of them has more to do. */
const usual: ReadonlySet<string> = new Set([
  'application/json, text/event-stream',
  'application/json,text/event-stream',
  'application/json',
  '*/*',
]);

function notAcceptable(): HttpFailure {
  const message = 'Accept must not refuse text/event-stream, or both it and application/json.';
  return new HttpFailure(406, INVALID_REQUEST, message);
}

/** Reads a JSON body up to the limit of the endpoint. */
function receive(call: HttpCall, use: (body: unknown, isReadElsewhere: boolean) => void): void {
  const { endpoint, exchange } = call;
  const { maxBodyBytes } = endpoint.settings;
  const known = findBodyFailure(exchange, maxBodyBytes);
  if (known) return refuse(call, known);
  exchange.receive(maxBodyBytes, (failure, text) => {
    try {
      const body = failure ?? parseBody(text);
      if (body instanceof HttpFailure) refuse(call, body);
      else use(body, typeof text !== 'string');
    } catch (error) {
      passError(endpoint.protocol, exchange, error);
    }
  });
}

/** Why a body is not even read; `undefined` when it may be. */
function findBodyFailure(exchange: Exchange, maxBytes: number): HttpFailure | undefined {
  if (!isJson(exchange.header('content-type'))) {
    return new HttpFailure(415, INVALID_REQUEST, 'Content-Type must be application/json.');
  }
  const encoding = exchange.header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return new HttpFailure(415, INVALID_REQUEST, 'Send the body without Content-Encoding.');
  }
  return Number(exchange.header('content-length')) > maxBytes ? tooLarge(maxBytes) : undefined;
}

/** The message in a body. */
function parseBody(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return readText(body);
  } catch (error) {
    return error instanceof TooManyPartsError ? tooManyParts(error) : notJson();
  }
}

function dispatch(
  call: HttpCall,
  { body, isReadElsewhere }: { body: unknown; isReadElsewhere: boolean },
  onlyStream: boolean,
): void {
  const { exchange, endpoint, peer } = call;
  const reading = endpoint.protocol.read(body, {
    peer,
    header: (name) => exchange.header(name),
    isReadElsewhere,
  });
  switch (reading.kind) {
    case 'refused':
      return sendReply(exchange, reading.reply);
    case 'accepted':
      return sendAccepted(exchange);
    case 'stateless':
      return answer(call, reading.message, onlyStream);
    case 'initialize':
      return postInitialize(call, reading.message);
    case 'batch':
      return postBatch(call, reading.messages);
    case 'stateful':
      return postStateful(call, reading.message);
  }
}

/** Answers a request of the stateless era. */
function answer(
  { endpoint, exchange, peer }: HttpCall,
  message: StatelessRequest,
  onlyStream: boolean,
): void {
  const response = new StatelessResponse(peer, exchange, endpoint, onlyStream);
  const reply = endpoint.protocol.serveStateless(message, response);
  if (!(reply instanceof Promise)) return response.finish(reply);
  response.watch();
  void reply.then((settled) => response.finish(settled));
}

/**
 * True for `application/json` with any parameters. The header is read as a media type. A search for the words
 * would accept a form's `text/plain; a=application/json`, which a page may send anywhere without asking
 * (CORS-simple).
 */
const isJson = (contentType: string | undefined): boolean =>
  contentType === 'application/json' || mediaTypeIn(contentType) === 'application/json';

/**
 * A request of 2026-07-28. It is answered with JSON, or with a stream as soon as a message must be sent
 * before the answer.
 */
class StatelessResponse implements ResponseChannel {
  readonly cancellation = new Cancellation();
  #stream: SseStream | undefined;
  #pause: AnswerPause | undefined;

  constructor(
    readonly peer: Peer,
    private readonly exchange: Exchange,
    private readonly endpoint: Endpoint,
    /** True if the client does not read JSON. */
    private readonly onlyStream: boolean,
  ) {}

  send(text: string): void {
    if (this.cancellation.aborted) return;
    (this.#stream ??= new SseStream(this.exchange, this.endpoint.sse, this.peer)).write(text);
    (this.#pause ??= new AnswerPause()).note(text);
  }

  get isBehind(): boolean {
    return this.#stream?.isBehind === true;
  }

  /** What challenges say. */
  get settings(): Challenging {
    return this.endpoint.settings;
  }

  /** The client cancels by disconnecting: from a stream, or from a connection that still waits for JSON. */
  watch(): void {
    const { exchange, cancellation } = this;
    exchange.whenClosed((early) => {
      if (early) cancellation.abort(new Error('The client has disconnected.'));
    });
  }

  finish(reply: Reply | undefined): void {
    const stream = this.#stream;
    if (stream) {
      const text = reply?.locked ? lockedText(reply.locked, this.settings) : reply?.text;
      this.#pause!.before(() => {
        if (text !== undefined) stream.write(text);
        stream.close();
      }, text?.length ?? 0);
    } else if (!reply) {
      this.exchange.drop();
    } else if (this.onlyStream && reply.status === 200 && !this.cancellation.aborted) {
      const only = new SseStream(this.exchange, this.endpoint.sse, this.peer);
      only.write(reply.text);
      only.close();
    } else if (reply.locked || reply.retryAfterMs !== undefined) {
      sendReply(this.exchange, reply, this);
    } else {
      const { exchange, peer, endpoint } = this;
      // Nearly all answers are short.
      if (reply.text.length <= PIECE_LENGTH) exchange.sendJson(reply.status, reply.text);
      else sendWhole(exchange, reply, { peer, settings: endpoint.sse });
    }
  }
}
