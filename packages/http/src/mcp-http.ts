import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MaybePromise, Principal } from '@toolwright/core';
import { readTrace, type Peer, type Protocol, type StatelessRequest } from '@toolwright/core/transport';
import { AddressGuard } from './address-guard.js';
import type { Authentication } from './authentication.js';
import { withinTime } from './authentication-time.js';
import { CallerCheck } from './caller-check.js';
import { allowReading, answerPreflight, isPreflight, refusePreflight, varyByOrigin } from './cors.js';
import type { Endpoint, HeaderValues, HttpCall } from './endpoint.js';
import { HttpFault, INVALID_REQUEST } from './http-fault.js';
import { OldSse, oldSessionId } from './old-sse.js';
import { resolveHttpOptions, type McpHttpOptions } from './options.js';
import { passError } from './pass-error.js';
import { postBatch, postInitialize, postStateful } from './post-stateful.js';
import { StatelessResponse } from './stateless-response.js';
import { readBody } from './read-body.js';
import { refuseBody } from './refuse-body.js';
import { sendAccepted, sendFault, sendReply } from './respond.js';
import { deleteSession, getStream, methodNotAllowed } from './session-stream.js';

/** The part of a server that the HTTP transport needs. */
export interface HttpServed {
  readonly protocol: Protocol;
}

/**
 * A request listener for node:http. A framework that passes `next` gets the errors that are not answers of
 * the protocol: those of `authenticate` or `principal`, and internal errors of this handler.
 */
export type McpHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * Serves MCP over HTTP, with both eras on one endpoint. It answers every request itself. It never listens on
 * a port, and never changes the process or the settings of the server. To stop, call `server.drain()`.
 *
 * @throws {ConfigurationError} with all problems of the options
 * @example
 * createServer(mcpHttp(server)).listen(3000, '127.0.0.1');
 */
export function mcpHttp(server: HttpServed, options: McpHttpOptions = {}): McpHandler {
  const settings = resolveHttpOptions(options);
  const guard = new AddressGuard(settings);
  const { ip: ipOf = socketAddress } = settings;
  const { protocol } = server;
  const { maxBufferedBytes, keepAliveMs } = settings;
  const { clock } = protocol;
  const endpoint: Endpoint = {
    protocol,
    settings,
    sse: { maxBufferedBytes, keepAliveMs, clock },
    oldSse: settings.sse ? new OldSse() : undefined,
  };

  const callers = new CallerCheck(protocol, settings);
  const serve = ({ req, headers, res, next }: Arrival, principal: Principal | undefined) => {
    const peer: Peer = { transport: 'http', principal, ip: ipOf(req), trace: readTrace(headers) };
    route({ endpoint, req, headers, res, next, peer });
  };
  const letIn = (arrival: Arrival, outcome: Authentication) => {
    const challenge = callers.challengeOf(outcome);
    if (!challenge)
      return serve(arrival, (outcome as Exclude<Authentication, { challenge: unknown }>).principal);
    const { status, headers: asking, message, reason: detail } = challenge;
    protocol.noteRefusal({ reason: 'TW_AUTHENTICATION', detail, ip: ipOf(arrival.req) });
    sendFault(arrival.res, new HttpFault(status, INVALID_REQUEST, message, asking));
  };
  const admit = (arrival: Arrival) => {
    const { req, headers, res } = arrival;
    const fault = guard.findFault(req, headers);
    if (fault) {
      protocol.noteRefusal({ reason: 'TW_ADDRESS', detail: fault.detail, ip: ipOf(req) });
      return sendFault(res, new HttpFault(403, INVALID_REQUEST, fault.message));
    }
    if (settings.cors && headers.origin !== undefined) {
      varyByOrigin(res);
      const isListed = guard.isListed(headers.origin);
      if (isPreflight(req)) return isListed ? answerPreflight(headers, res) : refusePreflight(res);
      if (isListed) allowReading(headers, res);
    }
    // `callers` has made sure at the start that anonymous callers may pass then.
    if (!settings.authenticate) return serve(arrival, undefined);
    const outcome = settings.authenticate(req);
    if (!isPending(outcome)) return letIn(arrival, outcome);
    withinTime(outcome, clock)
      .then((settled) => letIn(arrival, settled))
      .catch((error: unknown) => passError(arrival, error));
  };

  return (req, res, next) => {
    const arrival = { endpoint, req, headers: req.headers as HeaderValues, res, next };
    try {
      admit(arrival);
    } catch (error) {
      passError(arrival, error);
    }
  };
}

type Arrival = Omit<HttpCall, 'peer'>;

function route(call: HttpCall): void {
  switch (call.req.method) {
    case 'POST':
      return post(call);
    case 'GET':
      return call.endpoint.oldSse && opensOldStream(call) ? call.endpoint.oldSse.get(call) : getStream(call);
    case 'DELETE':
      return deleteSession(call);
    default:
      return sendFault(
        call.res,
        methodNotAllowed(call.endpoint.protocol.stateful?.hasSessions ? 'POST, GET, DELETE' : 'POST'),
      );
  }
}

/**
 * Clients of 2024-11-05 have no such sessions. Some of them name a newer revision all the same: the AI SDK
 * sends its newest one with every request, on every transport.
 */
function opensOldStream({ headers, endpoint }: HttpCall): boolean {
  const version = headers['mcp-protocol-version'];
  return (
    headers['mcp-session-id'] === undefined &&
    (version === undefined || endpoint.protocol.eraOf(version) === 'stateful')
  );
}

function post(call: HttpCall): void {
  const { endpoint, req } = call;
  const oldSession = endpoint.oldSse && oldSessionId(req);
  if (oldSession !== undefined) return endpoint.oldSse!.post(call, oldSession);
  readBody(call, (fault, body) => {
    if (fault) return refuseBody(call, fault);
    try {
      dispatch(call, body);
    } catch (error) {
      passError(call, error);
    }
  });
}

function dispatch(call: HttpCall, body: unknown): void {
  const { headers, res, endpoint, peer } = call;
  const reading = endpoint.protocol.read(body, { peer, header: (name) => headers[name] });
  switch (reading.kind) {
    case 'refused':
      return sendReply(res, reading.reply);
    case 'accepted':
      return sendAccepted(res);
    case 'stateless':
      return answer(call, reading.message);
    case 'initialize':
      return postInitialize(call, reading.message);
    case 'batch':
      return postBatch(call, reading.messages);
    case 'stateful':
      return postStateful(call, reading.message);
  }
}

/** Answers a request of the stateless era. */
function answer({ endpoint, res, peer }: HttpCall, message: StatelessRequest): void {
  const response = new StatelessResponse(peer, res, endpoint);
  const reply = endpoint.protocol.serveStateless(message, response);
  if (!(reply instanceof Promise)) return response.finish(reply);
  response.watch();
  void reply.then((settled) => response.finish(settled));
}

/** The address of the other end of the connection. */
function socketAddress({ socket }: IncomingMessage): string | undefined {
  return socket.remoteAddress;
}

/**
 * True for anything that `await` would wait for. Query builders can be awaited, too, but are no `Promise`.
 */
function isPending(outcome: MaybePromise<Authentication>): outcome is Promise<Authentication> {
  return typeof (outcome as { then?: unknown }).then === 'function';
}
