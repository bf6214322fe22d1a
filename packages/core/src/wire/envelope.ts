import { JsonRpcCode, ProtocolError } from '../base/errors/errors.js';
import { isLogLevel } from '../base/log.js';
import type { ClientDescription, LogLevel, TraceContext } from '../base/request-context.js';
import { type JsonObject, MAX_REPEATED, isJsonObject } from './json-rpc.js';

/** What every request of 2026-07-28 says about itself in `params._meta`. */
export interface Envelope {
  version: string;
  client: ClientDescription;
  logLevel: LogLevel | undefined;
  progressToken: string | number | undefined;
  trace: TraceContext;
}

const NO_TRACE: TraceContext = Object.freeze({});

/** True when the message claims to belong to the stateless era, even if the claim has the wrong type. */
export function hasClaim(params: JsonObject): boolean {
  const meta = params['_meta'];
  return isJsonObject(meta) && Object.hasOwn(meta, metaKeys.protocolVersion);
}

/** @throws {ProtocolError} -32602 naming the key that is missing or mistyped */
export function readEnvelope(params: JsonObject): Envelope {
  const meta = params['_meta'];
  if (!isJsonObject(meta)) throw invalid('_meta', 'is required and must be an object');
  const version = meta[metaKeys.protocolVersion];
  if (typeof version !== 'string')
    throw invalid(metaKeys.protocolVersion, 'is required and must be a string');
  const capabilities = meta[metaKeys.clientCapabilities];
  if (!isJsonObject(capabilities))
    throw invalid(metaKeys.clientCapabilities, 'is required and must be an object');
  const logLevel = meta[metaKeys.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) throw invalid(metaKeys.logLevel, 'is not a log level');
  return {
    version,
    client: { capabilities, ...readClientInfo(meta[metaKeys.clientInfo]) },
    logLevel,
    progressToken: readProgressToken(meta),
    trace: readTrace(meta),
  };
}

/** @throws {ProtocolError} -32602 when it is neither a string nor an integer */
export function readProgressToken(meta: JsonObject): string | number | undefined {
  const token = meta['progressToken'];
  if (typeof token === 'string' && token.length > MAX_REPEATED)
    throw invalid('progressToken', `is longer than ${MAX_REPEATED} characters`);
  if (token === undefined || typeof token === 'string' || Number.isSafeInteger(token)) {
    return token as string | number | undefined;
  }
  throw invalid('progressToken', 'must be a string or an integer');
}

/**
 * Client information is optional and never trusted. A value that does not describe an implementation is left
 * out.
 */
export function readClientInfo(info: unknown): Pick<ClientDescription, 'info'> {
  if (!isJsonObject(info) || typeof info['name'] !== 'string' || typeof info['version'] !== 'string')
    return {};
  const { name, version, title } = info;
  return { info: typeof title === 'string' ? { name, version, title } : { name, version } };
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Reads the W3C trace context. Invalid values must not make the request fail, so they are dropped. */
export function readTrace(meta: JsonObject): TraceContext {
  const { traceparent, tracestate, baggage } = meta;
  if (traceparent === undefined && baggage === undefined) return NO_TRACE;
  const trace: TraceContext = {};
  if (typeof traceparent === 'string' && TRACEPARENT.test(traceparent)) {
    trace.traceparent = traceparent;
    if (isPrintable(tracestate, 512)) trace.tracestate = tracestate;
  }
  if (isPrintable(baggage, 8192)) trace.baggage = baggage;
  return trace;
}

function isPrintable(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && /^[\x20-\x7e]*$/.test(value);
}

function invalid(key: string, problem: string): ProtocolError {
  return new ProtocolError(JsonRpcCode.invalidParams, `Invalid request metadata: "${key}" ${problem}.`);
}

/** Reserved `_meta` keys of 2026-07-28 (basic/index). */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  /** On 2025-11-25. */
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const;
