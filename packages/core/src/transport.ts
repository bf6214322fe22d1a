// What a transport is written against. `Protocol` is the whole of it: a server has one as `server.protocol`.
export type { Arrival, Reading } from './protocol/requests/read-messages.js';
export type { OpenedSession } from './protocol/sessions/open-session.js';
export type { Protocol, ProtocolLoad, StatefulService } from './protocol/protocol.js';

// Messages and answers
export type { StatelessRequest } from './protocol/requests/classify.js';
export type { StatefulRequest } from './protocol/requests/serve-stateful.js';
export {
  wantsAnswer,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  errorText,
} from './protocol/messages/json-rpc.js';
export type { Reply } from './protocol/messages/reply.js';
export { readTrace } from './protocol/messages/envelope.js';

// What a transport gives to the protocol
export { Cancellation } from './protocol/messages/cancellation.js';
export type { ResponseChannel, Peer } from './protocol/requests/response-channel.js';
export { AnswerPause } from './protocol/sessions/answer-pause.js';

// Channels, sessions and their streams
export type { Connection } from './protocol/sessions/connection.js';
export type { Session } from './protocol/sessions/session.js';
export type { Detach } from './protocol/sessions/change-stream.js';
export type { SessionStreams } from './protocol/sessions/session-streams.js';
export type { RequestId } from './base/request-context.js';
export { EventStream, type EventSink } from './protocol/sessions/event-stream.js';
export type { Features } from './protocol/revisions/features.js';

// So many streams for each caller
export { quotaOwnerOf, type QuotaOwner } from './protocol/sessions/quota-owner.js';
export { QuotaPool, type QuotaLimits } from './protocol/sessions/quota-pool.js';
export { principalKey } from './protocol/sessions/principal-key.js';
