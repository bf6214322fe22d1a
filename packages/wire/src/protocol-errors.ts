import { JsonRpcCode, ProtocolError } from '@toolwright/ground/base/errors/errors';
import { cutText, didYouMean, showHiddenInLine, wellFormed } from '@toolwright/json';
import type { JsonObject } from './json-rpc.js';
import type { Revisions } from './revisions.js';

export function invalidParams(message: string, data?: JsonObject): ProtocolError {
  return new ProtocolError(JsonRpcCode.invalidParams, message, data);
}

export function methodNotFound(method: string): ProtocolError {
  return new ProtocolError(JsonRpcCode.methodNotFound, `Method not found: ${clip(method)}`);
}

/** The answer to a client that wants to hear of changes where no stream can bring them. */
export function noChangesSent(method: string): ProtocolError {
  const { rpcCode, message } = methodNotFound(method);
  return new ProtocolError(
    rpcCode,
    `${message}. No stream stays open here, so no changes are announced. Fetch lists and resources again instead.`,
  );
}

export function headerMismatch(message: string): ProtocolError {
  return new ProtocolError(JsonRpcCode.headerMismatch, message);
}

/** Names the revisions that an envelope can ask for. */
export function unsupportedVersion(requested: string, { stateless }: Revisions): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.unsupportedProtocolVersion,
    `Unsupported protocol version: ${clip(requested)}`,
    {
      supported: stateless,
      requested,
    },
  );
}

/**
 * On 2025-11-25: the client opens the page by itself and calls again. It is used where no question could
 * reach the client.
 */
export function urlElicitationRequired(elicitation: JsonObject): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.urlElicitationRequired,
    'The person has to open a page before this request can be carried out.',
    { elicitations: [elicitation] },
  );
}

/** A process cannot know whether the client has ended its session elsewhere. It may then only read. */
export function sessionUnverified(name: string): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.internalError,
    `This server cannot check your session right now, so it only runs tools that read, and "${clip(name)}" may change something. Nothing was done. Try again later.`,
    { reason: 'session_unverified' },
  );
}

/** Messages repeat only a part of what the client sent, and nothing hides in it. */
function clip(text: string): string {
  return showHiddenInLine(wellFormed(cutText(text, 200, '…')));
}

/** -32602 with the nearest names that the caller may use. */
export function unknownName(kind: string, name: string, known: readonly string[]): ProtocolError {
  return invalidParams(`Unknown ${kind}: ${clip(name)}.${didYouMean(name, known)}`);
}
