import { isProtocolError, JsonRpcCode, ProtocolError } from '@toolwright/ground/base/errors/errors';
import type { Principal, RequestId } from '@toolwright/ground/base/request-context';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import { classify, type StatelessMessage } from '@toolwright/wire/classify';
import {
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  isJsonObject,
  sentenceOf,
} from '@toolwright/wire/json-rpc';
import {
  decodeHeaderValue,
  findHeaderMismatch,
  type ParamHeader,
  planParamHeaders,
  type ReadHeader,
  halfOf,
} from '@toolwright/wire/param-headers';
import { headerMismatch, invalidParams, unsupportedVersion } from '@toolwright/wire/protocol-errors';
import { errorReply, type Reply } from '@toolwright/wire/reply';
import type { Peer } from '@toolwright/wire/response-channel';
import type { ActiveRequest, Engine, RequestPlan, ServedRevision } from './active-request.js';
import { addedMethod } from './capabilities.js';
import { findForwarded } from './forwarded-call.js';
import { noteRefusedMessage } from './refusals.js';

/** A stateless request, with what it asks for. `serveStateless` answers it, and looks nothing up again. */
export interface StatelessRequest extends StatelessMessage {
  /** @internal */
  readonly plan: RequestPlan;
}

/** Who sent a body, and how to read the headers that came with it. */
export interface InboundContext {
  readonly peer: Pick<Peer, 'principal' | 'ip'>;
  readonly header: ReadHeader;
  /** Whether other code than ours has made a value of the text of the body. */
  readonly isReadElsewhere?: boolean;
}

/** The same, with the headers that were already read: each look into web-standard headers costs. */
interface NamedContext extends InboundContext {
  readonly protocolVersion: string | undefined;
  readonly method: string | undefined;
}

/** What a body is, and what the transport has to do with it. */
export type ClassifiedBody =
  /** Send this reply. Nothing else needs to be done. */
  | { readonly kind: 'refused'; readonly reply: Reply }
  /** There is nothing to answer and nothing to do. HTTP answers with status 202. */
  | { readonly kind: 'accepted' }
  /** Pass the message to `serveStateless`. */
  | { readonly kind: 'stateless'; readonly message: StatelessRequest }
  /** Pass the message to `openSession`. */
  | { readonly kind: 'initialize'; readonly message: RpcRequest }
  /** Pass the message to `serveStateful` or `hear`, within its session. */
  | { readonly kind: 'stateful'; readonly message: RpcRequest | RpcNotification | RpcResponse }
  /** As `stateful`, for each message. Malformed ones are answered, too. Only some revisions have batches. */
  | { readonly kind: 'batch'; readonly messages: readonly RpcMessage[] };

type Kind<K extends ClassifiedBody['kind']> = Extract<ClassifiedBody, { kind: K }>;

const ACCEPTED: ClassifiedBody = { kind: 'accepted' };
const BAD_REQUEST = 400;

/** Reads a body whose messages arrive separately, as over HTTP. */
export function readMessages(engine: Engine, body: unknown, arrival: InboundContext): ClassifiedBody {
  const { header, peer } = arrival;
  // Members are listed, because V8 makes an object with a spread in the middle several times as slowly.
  const named: NamedContext = {
    peer,
    header,
    protocolVersion: header('mcp-protocol-version'),
    method: header('mcp-method'),
    isReadElsewhere: arrival.isReadElsewhere === true,
  };
  const classified = classify(body, named, engine.revisions);
  switch (classified.kind) {
    case 'stateless':
      return check(engine, classified.message, named);
    case 'statelessNotification': {
      const { version } = classified;
      if (engine.revisions.isStateless(version)) return ACCEPTED;
      return refuse(engine, undefined, unsupportedVersion(version, engine.revisions));
    }
    case 'refused': {
      const { id, error } = classified;
      noteRefusedMessage(engine, body, { peer, error });
      const { reply } = refuse(engine, id, error);
      return { kind: 'refused', reply: { ...reply, status: BAD_REQUEST } };
    }
    default:
      return engine.settings.stateful ? classified : refuseStateful(engine, classified);
  }
}

/** Plans a request, and checks that its revision is served and that the headers agree with the message. */
function check(engine: Engine, message: StatelessMessage, arrival: NamedContext): ClassifiedBody {
  const { peer } = arrival;
  try {
    const planned = planStateless(engine, message, peer.principal);
    checkMirroredHeaders(engine, planned, arrival);
    return { kind: 'stateless', message: planned };
  } catch (error) {
    if (isProtocolError(error)) noteRefusedMessage(engine, message, { peer, error });
    return refuse(engine, message.id, error);
  }
}

/**
 * Looks up what a stateless request asks for.
 *
 * @throws {ProtocolError} -32022 when its revision is not served
 */
export function planStateless(
  engine: Engine,
  message: StatelessMessage,
  principal: Principal | undefined,
): StatelessRequest {
  const { version } = message.envelope;
  const served = engine.served.get(version);
  if (served?.codec.era !== 'stateless') throw unsupportedVersion(version, engine.revisions);
  const { id, method, params, envelope } = message;
  return {
    kind: 'request',
    id,
    method,
    params,
    envelope,
    plan: planRequest(engine, message, { served, principal }),
  };
}

/** Looks up the method of a request in its revision, and the operation that it is about. */
export function planRequest(
  engine: Engine,
  message: RpcRequest,
  { served: { codec, methods }, principal }: { served: ServedRevision; principal: Principal | undefined },
): RequestPlan {
  const { method: name, params } = codec.names ? codec.names.read(message) : message;
  const method = methods.get(name) ?? addedMethod(engine, name, codec.era);
  const { inexact } = message;
  // Tools refuse such arguments themselves, in words for a model.
  if (inexact && method && method.calls !== 'tool')
    throw invalidParams(sentenceOf(inexact[0]!, 'params.arguments.'));
  const { operation, forwarded } = lookUp(engine, { method, params }, principal);
  return { codec, method, params, operation, forwarded, inexact };
}

/** The operation that a request is about, and what forwards it. */
function lookUp(
  { host }: Engine,
  { method, params }: Pick<RequestPlan, 'method' | 'params'>,
  principal: Principal | undefined,
): Pick<RequestPlan, 'operation' | 'forwarded'> {
  const operation = method?.find?.(host.registry, params, principal);
  const forwarded = host.additions.forwards && findForwarded(host, { operation, params }, principal);
  return { operation: forwarded?.tool ?? operation, forwarded };
}

/** Looks up the operation of a request again, because a package has found out what there is for its caller. */
export function lookUpAgain(request: ActiveRequest, method: RequestPlan['method']): void {
  const { operation, forwarded } = lookUp(
    request.engine,
    { method, params: request.params },
    request.principal,
  );
  request.forwarded = forwarded;
  request.isAbout(operation);
}

/**
 * Compares a request with the headers that repeat parts of it. `MCP-Protocol-Version` and `Mcp-Method` were
 * already compared when the request was classified; here they must be present.
 *
 * @throws {ProtocolError} -32020 when a header is missing or different
 */
function checkMirroredHeaders(
  engine: Engine,
  { plan: { method, params, operation, forwarded } }: StatelessRequest,
  { protocolVersion, method: named, header, peer: { principal } }: NamedContext,
): void {
  if (protocolVersion === undefined) throw headerMismatch('The header "MCP-Protocol-Version" is missing.');
  if (named === undefined) throw headerMismatch('The header "Mcp-Method" is missing.');
  const { mirrored: key, calls: called } = method ?? {};
  if (key === undefined) return;
  checkName(params[key], header('mcp-name'));
  // The headers repeat arguments of the tool that the request names.
  const tool = forwarded?.by ?? operation;
  if (called !== 'tool' || tool?.kind !== 'tool') return;
  const headers = paramHeadersOf(tool);
  // For a tool that is hidden from the caller, headers must make no difference: they would show that it
  // exists.
  if (headers.length === 0 || !engine.host.registry.visible(tool, principal)) return;
  const args = params['arguments'];
  const mismatch = findHeaderMismatch(headers, isJsonObject(args) ? args : {}, header);
  if (mismatch) throw headerMismatch(mismatch);
}

/** The headers that calls of a tool must have. They are looked for at its first call. */
const paramHeaders = new WeakMap<BoundTool, readonly ParamHeader[]>();

function paramHeadersOf(tool: BoundTool): readonly ParamHeader[] {
  let headers = paramHeaders.get(tool);
  if (!headers) {
    ({ headers } = planParamHeaders(tool.inputSchema));
    paramHeaders.set(tool, headers);
  }
  return headers;
}

function checkName(value: unknown, raw: string | undefined): void {
  if (raw === undefined) throw headerMismatch('The header "Mcp-Name" is missing.');
  if (raw === value) {
    // The usual case: plain text, and equal. A value that looks encoded is decoded below.
    if (!raw.startsWith('=?base64?') && /^[\x20-\x7e]*$/.test(raw)) return;
  }
  const half = halfOf(raw);
  if (half !== undefined && decodeHeaderValue(half) === value) return;
  const decoded = decodeHeaderValue(raw);
  if (decoded === undefined) throw headerMismatch('The header "Mcp-Name" cannot be decoded.');
  // If the value has the wrong type, the method answers that the parameter is invalid.
  if (typeof value === 'string' && decoded !== value) {
    throw headerMismatch('The header "Mcp-Name" differs from the request.');
  }
}

/**
 * Refuses a client of a stateful revision when the server has none. The answer names the versions that it
 * serves.
 */
function refuseStateful(
  engine: Engine,
  classified: Kind<'initialize' | 'batch' | 'stateful'>,
): ClassifiedBody {
  if (classified.kind === 'batch' || classified.message.kind === 'response') {
    const message = 'Send one request or notification at a time.';
    return refuse(engine, undefined, new ProtocolError(JsonRpcCode.invalidRequest, message));
  }
  const { message } = classified;
  // A notification is never answered, and there is no session that could take it.
  if (message.kind === 'notification') return ACCEPTED;
  const requested = message.params['protocolVersion'];
  const version = typeof requested === 'string' ? requested : 'none';
  return refuse(engine, message.id, unsupportedVersion(version, engine.revisions));
}

function refuse({ host }: Engine, id: RequestId | null | undefined, error: unknown): Kind<'refused'> {
  return { kind: 'refused', reply: errorReply(id, error, { era: 'stateless', logger: host.logger }) };
}
