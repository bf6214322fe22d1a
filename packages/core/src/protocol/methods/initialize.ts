import type { Engine } from '../engine.js';
import { capabilitiesOf, extensionsOf } from '../revisions/capabilities.js';
import { MAX_DESCRIPTION } from '../messages/bounds.js';
import type { Codec } from '../codecs/codec.js';
import { readClientInfo } from '../messages/envelope.js';
import type { Revisions } from '../revisions/revisions.js';
import { isJsonObject, type JsonObject } from '../messages/json-rpc.js';
import { invalidParams } from '../messages/protocol-errors.js';
import { requestedTasksOf } from '../tasks/requested/requested-tasks-of.js';
import type { ClientDescription, Principal, Revision } from '../../base/request-context.js';

export interface Handshake {
  revision: Revision;
  client: ClientDescription;
}

/**
 * Reads the handshake of a stateful revision. If the client asks for an unknown or a stateless revision, the
 * newest stateful one is offered (lifecycle: version negotiation).
 *
 * @throws {ProtocolError} -32602 when a required parameter is missing
 */
export function readHandshake(params: JsonObject, { stateful }: Revisions): Handshake {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') throw invalidParams('"protocolVersion" must be a string.');
  if (!isJsonObject(capabilities)) throw invalidParams('"capabilities" must be an object.');
  const described = readClientInfo(clientInfo);
  if (!described.info) throw invalidParams('"clientInfo" must have a "name" and a "version".');
  // This is kept as long as the session, and it costs a caller only one request.
  if (JSON.stringify([capabilities, described]).length > MAX_DESCRIPTION)
    throw invalidParams(`"capabilities" and "clientInfo" are larger than ${MAX_DESCRIPTION} characters.`);
  const revision = stateful.find((known) => known === protocolVersion) ?? stateful[0]!;
  return { revision, client: { capabilities, ...described } };
}

export function initializeResult(
  { host, tasks }: Pick<Engine, 'host' | 'tasks'>,
  codec: Codec,
  principal: Principal | undefined,
): string {
  const { info, instructions, registry } = host;
  const { features } = codec;
  return codec.result({
    protocolVersion: codec.revision,
    capabilities: {
      ...capabilitiesOf(registry, features),
      ...requestedTasksOf(tasks, features, principal),
      ...extensionsOf(registry, { features, hasTasks: false }),
    },
    serverInfo: codec.serverInfo(info),
    instructions,
  });
}
