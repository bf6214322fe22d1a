import { randomBytes } from 'node:crypto';
import type { RequestId } from '../../base/request-context.js';
import { isRequestId } from '../messages/json-rpc.js';

/** The longest request id that a stream remembers, in characters. */
const MAX_REQUEST_ID = 64;
/** What `streamIdOf` makes. */
const STREAM_ID = /^\d{1,16}-[\da-f]{12}(?:-(?<request>[\w-]{1,400}))?$/;

/** A new id for the stream that answers a request. Nobody can guess it. */
export function streamIdOf(count: number, requestId: RequestId | undefined): string {
  const text = requestId === undefined ? '' : JSON.stringify(requestId);
  const request = text && text.length <= MAX_REQUEST_ID ? `-${Buffer.from(text).toString('base64url')}` : '';
  return `${count}-${randomBytes(6).toString('hex')}${request}`;
}

/** True for the id of a stream that some process may have opened. Clients send these ids: anything may come. */
export function isStreamId(id: string): boolean {
  return STREAM_ID.test(id);
}

/** The id of the request that a stream answers, if its own id has it. */
export function requestOf(id: string): RequestId | undefined {
  try {
    const text = STREAM_ID.exec(id)?.groups?.['request'] ?? '';
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isRequestId(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
