import type { KeyObject } from 'node:crypto';
import { canonicalJson } from '../canonical-json.js';
import { keyedDigest } from '../digest.js';
import type { AuditRecord, ResultDigest } from '../record.js';
import type { PendingRecord } from './pending.js';

/** Who writes, and with which key values are hashed. */
export interface RecordContext {
  readonly writer: string;
  readonly key: KeyObject;
}

/** The line of a record, newline included. `seq` comes first: readers tell records from other entries by it. */
export function encodeRecord(pending: PendingRecord, seq: number, context: RecordContext): string {
  const { event, loggableJson } = pending;
  const record: Omit<AuditRecord, 'loggable'> = {
    seq,
    id: event.id,
    writer: context.writer,
    time: event.time,
    event: event.event,
    callId: event.callId,
    operation: event.operation,
    name: event.name,
    contract: event.contract,
    annotations: event.annotations,
    principal: event.principal,
    untrustedClient: event.client,
    revision: event.revision,
    arguments: digestArguments(pending, context.key),
    outcome: event.outcome,
    reason: event.reason,
    reference: event.reference,
    result: event.result === undefined ? undefined : digestResult(pending.resultText, context.key),
    durationMs: event.durationMs,
    traceId: event.traceId,
    ip: event.ip,
  };
  const json = stringify(record);
  return loggableJson === undefined ? `${json}\n` : `${json.slice(0, -1)},"loggable":${loggableJson}}\n`;
}

function digestArguments({ argumentsJson }: PendingRecord, key: KeyObject): AuditRecord['arguments'] {
  if (argumentsJson === undefined) return null;
  return { hmac: keyedDigest(key, canonicalJson(JSON.parse(argumentsJson))) };
}

/** Keyed like the arguments: a plain hash of a short result ("yes") is guessed in no time. */
function digestResult(text: string | undefined, key: KeyObject): ResultDigest | null {
  return text === undefined ? null : { hmac: keyedDigest(key, text), bytes: Buffer.byteLength(text) };
}

/** One record that is not JSON (a bigint among a tool's annotations) must not hold up all that come after it. */
function stringify(record: Omit<AuditRecord, 'loggable'>): string {
  try {
    return JSON.stringify(record);
  } catch {
    return JSON.stringify({ ...record, annotations: {}, principal: null, untrustedClient: null });
  }
}
