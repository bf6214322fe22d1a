// What a transport is written against. `Protocol` is the whole of it: a server has one as `server.protocol`.
export type { InboundContext, ClassifiedBody } from './requests/read.js';
export type { OpenedSession } from './sessions/open-session.js';
export type { Protocol, ProtocolLoad, StatefulService } from './protocol/protocol.js';

// Messages and answers
export type { StatelessRequest } from './requests/read.js';
export type { StatefulRequest } from './sessions/serve-stateful.js';
export {
  isRequestId,
  wantsAnswer,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  errorText,
  readText,
  TooManyPartsError,
} from '@toolwright/wire/json-rpc';
// The value of a body, and the text of an answer. JSON.parse rounds long integers without a word.
export { RETRY_AFTER_MS } from '@toolwright/ground/base/errors/errors';
export { exactNumberText, quoteLongIntegers, writeJson } from '@toolwright/json';
export { readMessage } from '@toolwright/wire/read-message';
export type { LockedReply, Reply } from '@toolwright/wire/reply';
export { readTrace } from '@toolwright/wire/classify';
export { PARTIAL } from '@toolwright/ground/call/context/progress-reporter';
export { GROUP_META } from '@toolwright/wire/definitions';
export { APP_MIME_TYPE } from '@toolwright/ground/base/app-settings';
export { headerOnce } from '@toolwright/wire/param-headers';

// Words of the protocol
export type {
  Era,
  LogLevel,
  RequestId,
  Revision,
  TraceContext,
} from '@toolwright/ground/base/request-context';
export type { MaybePromise } from '@toolwright/json';
export type { ServerInfo } from '@toolwright/wire/revision-record';
export { revisions, namesOf } from '@toolwright/wire/revisions';
export { type MethodNames, readNames, writeNames } from '@toolwright/wire/methods';

// What a transport gives to the protocol
export { Cancellation } from '@toolwright/wire/response-channel';
export type { ResponseChannel, Peer } from '@toolwright/wire/response-channel';
export { AnswerPause } from '@toolwright/wire/response-channel';

// What clients over HTTP write into headers
export { routingHeaders } from '@toolwright/wire/param-headers';
export { encodeHeaderValue } from '@toolwright/wire/param-headers';

// Channels, sessions and their streams
export type { Connection } from './sessions/connection.js';
export type { Session } from './sessions/session.js';
export type { Detach } from './sessions/change-stream.js';
export type { SessionStreams } from './sessions/session-streams.js';
export { EventStream, type EventSink } from './sessions/event-stream.js';
export type { Features } from '@toolwright/wire/revision-record';

// What waits for clients that have not read it
export {
  PIECE_LENGTH,
  ReaderQueue,
  type ReaderOutlet,
  type ReaderSettings,
} from './requests/readers/reader-queue.js';

// How a process ends, and what it prints
export { endGroup } from '@toolwright/json';
export { onStopSignals, stopOnSignals, type Stop, writeOut } from '@toolwright/json';

// What processes do about failures that no code has handled
export {
  type UnhandledFailure,
  type WhenUnhandled,
  watchUnhandled,
  whenUnhandledOption,
} from './protocol/protocol.js';

// How many streams each caller may have
export { quotaOwnerOf, type QuotaOwner } from './requests/quota-pool.js';
export { QuotaPool, type QuotaLimits } from './requests/quota-pool.js';
export { principalKey } from '@toolwright/ground/call/operation/keys';
