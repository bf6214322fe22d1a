import { JsonRpcCode, ProtocolError } from '../../base/errors/protocol-error.js';
import type { RequestId } from '../../base/request-context.js';
import type { Engine } from '../engine.js';
import { checkMirroredHeaders, type ReadHeader } from '../headers/mirrored-headers.js';
import type { RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '../messages/json-rpc.js';
import { unsupportedVersion } from '../messages/protocol-errors.js';
import type { Reply } from '../messages/reply.js';
import { errorReply } from './answer.js';
import { classify, type StatelessRequest } from './classify.js';
import type { Peer } from './response-channel.js';
import { noteRefusedMessage } from './note-refusal.js';

/** Who sent a body, and how to read the headers that came with it. */
export interface Arrival {
  readonly peer: Pick<Peer, 'principal' | 'ip'>;
  readonly header: ReadHeader;
}

/** What a body is, and what a transport has to do about it. */
export type Reading =
  /** To be answered with this, and done. */
  | { readonly kind: 'refused'; readonly reply: Reply }
  /** Nothing to answer and nothing to do: HTTP says 202. */
  | { readonly kind: 'accepted' }
  /** For `serveStateless`. */
  | { readonly kind: 'stateless'; readonly message: StatelessRequest }
  /** For `openSession`. */
  | { readonly kind: 'initialize'; readonly message: RpcRequest }
  /** For `serveStateful` or `hear`, in its session. */
  | { readonly kind: 'stateful'; readonly message: RpcRequest | RpcNotification | RpcResponse }
  /** The same, one by one. Malformed ones are answered in their place. Only some revisions have batches. */
  | { readonly kind: 'batch'; readonly messages: readonly RpcMessage[] };

type Kind<K extends Reading['kind']> = Extract<Reading, { kind: K }>;

const ACCEPTED: Reading = { kind: 'accepted' };
const BAD_REQUEST = 400;

/** Reads a body that came by itself, as over HTTP. */
export function readMessages(engine: Engine, body: unknown, arrival: Arrival): Reading {
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

/** Holds a request against the revisions that are served and against the headers that mirror it. */
function check(engine: Engine, reading: Kind<'stateless'>, { header, peer }: Arrival): Reading {
  const { message } = reading;
  const { version } = message.envelope;
  const { registry } = engine.host;
  try {
    if (!engine.revisions.isStateless(version)) throw unsupportedVersion(version, engine.revisions);
    checkMirroredHeaders(message, header, { registry, principal: peer.principal });
    return reading;
  } catch (error) {
    if (error instanceof ProtocolError) noteRefusedMessage(engine, message, { peer, error });
    return refuse(engine, message.id, error);
  }
}

/** Meets a client of a stateful revision where none is served: names the versions that are. */
function refuseStateful(engine: Engine, classified: Kind<'initialize' | 'batch' | 'stateful'>): Reading {
  if (classified.kind === 'batch' || classified.message.kind === 'response') {
    const message = 'Send one request or notification at a time.';
    return refuse(engine, undefined, new ProtocolError(JsonRpcCode.invalidRequest, message));
  }
  const { message } = classified;
  // A notification is never answered; without an era of ours there is nobody to hand it to.
  if (message.kind === 'notification') return ACCEPTED;
  const requested = message.params['protocolVersion'];
  const version = typeof requested === 'string' ? requested : 'none';
  return refuse(engine, message.id, unsupportedVersion(version, engine.revisions));
}

function refuse({ host }: Engine, id: RequestId | undefined, error: unknown): Kind<'refused'> {
  return { kind: 'refused', reply: errorReply(id, error, { era: 'stateless', logger: host.logger }) };
}
