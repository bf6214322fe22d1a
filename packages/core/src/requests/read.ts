import { JsonRpcCode, ProtocolError } from '../base/errors/errors.js';
import type { RequestId } from '../base/request-context.js';
import type { Engine } from './engine.js';
import { checkMirroredHeaders, type ReadHeader } from '../wire/mirrored-headers.js';
import type { RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '../wire/json-rpc.js';
import { unsupportedVersion } from '../wire/protocol-errors.js';
import { type Reply, errorReply } from '../wire/reply.js';
import { classify, type StatelessRequest } from './classify.js';
import type { Peer } from '../wire/response-channel.js';
import { noteRefusedMessage } from './refusals.js';

/** Who sent a body, and how to read the headers that came with it. */
export interface InboundContext {
  readonly peer: Pick<Peer, 'principal' | 'ip'>;
  readonly header: ReadHeader;
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
  const named = { protocolVersion: header('mcp-protocol-version'), method: header('mcp-method') };
  const classified = classify(body, named, engine.revisions);
  switch (classified.kind) {
    case 'stateless':
      return check(engine, classified, arrival);
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

/** Checks that the revision of a request is served and that the headers agree with the message. */
function check(engine: Engine, reading: Kind<'stateless'>, { header, peer }: InboundContext): ClassifiedBody {
  const { message } = reading;
  const { version } = message.envelope;
  const { registry } = engine.host;
  try {
    if (engine.codecs.get(version)?.era !== 'stateless') throw unsupportedVersion(version, engine.revisions);
    checkMirroredHeaders(message, header, { registry, principal: peer.principal });
    return reading;
  } catch (error) {
    if (error instanceof ProtocolError) noteRefusedMessage(engine, message, { peer, error });
    return refuse(engine, message.id, error);
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

function refuse({ host }: Engine, id: RequestId | undefined, error: unknown): Kind<'refused'> {
  return { kind: 'refused', reply: errorReply(id, error, { era: 'stateless', logger: host.logger }) };
}
