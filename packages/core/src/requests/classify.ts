import { JsonRpcCode, ProtocolError } from '../base/errors/errors.js';
import {
  MAX_BATCH,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  findExcess,
  isJsonObject,
  readMessage,
} from '../wire/json-rpc.js';
import { type Envelope, hasClaim, metaKeys, readEnvelope } from '../wire/envelope.js';
import type { Revisions } from '../wire/revisions.js';
import { headerMismatch, invalidParams, unsupportedVersion } from '../wire/protocol-errors.js';
import type { RequestId } from '../base/request-context.js';

/** The headers of an HTTP request that tell its era. All are `undefined` on other transports. */
export interface EraHeaders {
  protocolVersion?: string | undefined;
  method?: string | undefined;
}

/** A request of the stateless era, with its envelope. */
export type StatelessRequest = RpcRequest & { envelope: Envelope };

export type Classified =
  | { kind: 'stateless'; message: StatelessRequest }
  | { kind: 'statelessNotification'; message: RpcNotification; version: string }
  | { kind: 'initialize'; message: RpcRequest }
  | { kind: 'stateful'; message: RpcRequest | RpcNotification | RpcResponse }
  /** Only on 2025-03-26. Malformed elements are answered one by one. */
  | { kind: 'batch'; messages: RpcMessage[] }
  | RefusedBody;

/** The body must not be served: a fault of the transport, with HTTP status 400 in both eras. */
export interface RefusedBody {
  kind: 'refused';
  id: RequestId | undefined;
  error: ProtocolError;
  /** True for a notification. HTTP answers it with a status; other transports do not answer it. */
  silent?: true | undefined;
}

/**
 * Finds out which era a parsed body belongs to. The body itself decides first, and then the header. A
 * malformed request of the stateless era is refused, and never served as a request of an older revision.
 */
export function classify(body: unknown, headers: EraHeaders, revisions: Revisions): Classified {
  const excess = findExcess(body);
  if (excess) return refuse(readId(body), new ProtocolError(JsonRpcCode.invalidRequest, excess));
  if (Array.isArray(body)) return classifyBatch(body);
  const message = readMessage(body);
  switch (message.kind) {
    case 'malformed':
      return {
        ...refuse(message.id, new ProtocolError(message.code, message.reason)),
        silent: message.silent,
      };
    case 'response':
      return revisions.looksStateless(headers.protocolVersion)
        ? refuse(undefined, new ProtocolError(JsonRpcCode.invalidRequest, 'Clients send no responses.'))
        : { kind: 'stateful', message };
    case 'notification':
      return classifyNotification(message, headers, revisions);
    case 'request':
      return classifyRequest(message, headers, revisions);
  }
}

function classifyRequest(message: RpcRequest, headers: EraHeaders, revisions: Revisions): Classified {
  const { id, method, params } = message;
  try {
    if (hasClaim(params)) {
      const envelope = checkedEnvelope(message, headers);
      return { kind: 'stateless', message: { kind: 'request', id, method, params, envelope } };
    }
    if (revisions.looksStateless(headers.protocolVersion))
      throw missingClaim(method, headers.protocolVersion!, revisions);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return refuse(id, error);
  }
  return method === 'initialize' ? { kind: 'initialize', message } : { kind: 'stateful', message };
}

function checkedEnvelope({ method, params }: RpcRequest, headers: EraHeaders): Envelope {
  const envelope = readEnvelope(params);
  const { protocolVersion: header, method: named } = headers;
  if (header !== undefined && header !== envelope.version) {
    throw headerMismatch('The header "MCP-Protocol-Version" differs from the request.');
  }
  if (named !== undefined && named !== method)
    throw headerMismatch('The header "Mcp-Method" differs from the request.');
  return envelope;
}

function missingClaim(method: string, header: string, revisions: Revisions): ProtocolError {
  if (!revisions.isStateless(header)) return unsupportedVersion(header, revisions);
  if (method === 'initialize') return headerMismatch(`"initialize" is not part of ${header}.`);
  return invalidParams(`Invalid request metadata: "${metaKeys.protocolVersion}" is required.`);
}

function classifyNotification(
  message: RpcNotification,
  { protocolVersion: header }: EraHeaders,
  revisions: Revisions,
): Classified {
  if (!hasClaim(message.params)) {
    return revisions.looksStateless(header)
      ? { kind: 'statelessNotification', message, version: header! }
      : { kind: 'stateful', message };
  }
  const claim = (message.params['_meta'] as Record<string, unknown>)[metaKeys.protocolVersion];
  if (typeof claim !== 'string')
    return mute(invalidParams(`"${metaKeys.protocolVersion}" must be a string.`));
  if (header !== undefined && header !== claim) {
    return refuse(
      undefined,
      headerMismatch('The header "MCP-Protocol-Version" differs from the notification.'),
    );
  }
  return { kind: 'statelessNotification', message, version: claim };
}

function mute(error: ProtocolError): RefusedBody {
  return { kind: 'refused', id: undefined, error, silent: true };
}

function classifyBatch(body: unknown[]): Classified {
  const messages = body.map(readMessage);
  const foreign =
    body.some((item) => !isJsonObject(item)) ||
    messages.some((each) => 'params' in each && hasClaim(each.params));
  if (body.length === 0 || foreign) {
    return refuse(undefined, new ProtocolError(JsonRpcCode.invalidRequest, 'Send one message at a time.'));
  }
  if (body.length > MAX_BATCH) {
    const message = `A batch of more than ${MAX_BATCH} messages is not taken.`;
    return refuse(undefined, new ProtocolError(JsonRpcCode.invalidRequest, message));
  }
  return { kind: 'batch', messages };
}

function refuse(id: RequestId | undefined, error: ProtocolError): RefusedBody {
  return { kind: 'refused', id, error };
}

function readId(body: unknown): RequestId | undefined {
  const message = isJsonObject(body) ? readMessage(body) : undefined;
  return message && 'id' in message ? message.id : undefined;
}
