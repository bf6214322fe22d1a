import type { AuditEvent } from '@toolwright/core';
import { canonicalJson } from '@toolwright/manifest';
import type { HmacKey } from '../hmac-key.js';
import type { AuditRecord, ResultDigest } from '../record.js';
import { DescribedOperations } from './described-operations.js';
import { toJson } from './to-json.js';

/**
 * Writes an event as a line of the log at once. The tool may change its arguments or a cached result
 * afterwards, and the text takes less memory than the objects. Only `seq`, which comes first, is left for the
 * commit.
 */
export class RecordEncoder {
  private readonly operations = new DescribedOperations();

  /**
   * @param writer whose chain will contain the records
   * @param key for the HMACs of values
   */
  constructor(
    private readonly writer: string,
    private readonly key: HmacKey,
  ) {}

  /** The line of a record after its `seq`, with the newline. */
  encode(event: AuditEvent): string {
    const { id, time, callId, revision, outcome, reason, detail, count, reference, durationMs, traceId, ip } =
      event;
    // Ids and event names come from us, so nothing in them needs escaping.
    const head = `,"id":"${id}","writer":"${this.writer}","time":${time},"event":"${event.event}","callId":"${callId}"`;
    const tail = stringify({
      principal: event.principal,
      untrustedClient: event.client,
      revision,
      arguments: event.arguments === undefined ? null : this.digestArguments(event.arguments),
      outcome,
      reason,
      detail,
      count,
      reference,
      result: event.result === undefined ? undefined : this.digestResult(event.result),
      durationMs,
      traceId,
      ip,
    });
    const loggable = event.loggable && toJson(event.loggable);
    const end = loggable === undefined ? '}\n' : `,"loggable":${loggable}}\n`;
    return `${head},${this.operations.describe(event)},${tail.slice(1, -1)}${end}`;
  }

  private digestArguments(value: unknown): AuditRecord['arguments'] {
    try {
      return { hmac: this.key.digest(canonicalJson(value)) };
    } catch {
      // The arguments of a client are always JSON. Those of a program may not be.
      return null;
    }
  }

  /**
   * The digest has a key, like that of the arguments. Anybody could guess the plain hash of a short result
   * ("yes").
   */
  private digestResult(result: unknown): ResultDigest | null {
    // A text is a result that was serialised before.
    const text = typeof result === 'string' ? result : toJson(result);
    return text === undefined ? null : { hmac: this.key.digest(text), bytes: Buffer.byteLength(text) };
  }
}

type Tail = Omit<
  AuditRecord,
  'seq' | 'id' | 'writer' | 'time' | 'event' | 'callId' | 'operation' | 'name' | 'contract' | 'annotations'
>;

/** One record that is not JSON (a bigint in a subject) must not block all records after it. */
function stringify(tail: Tail): string {
  return toJson(tail) ?? JSON.stringify({ ...tail, principal: null, untrustedClient: null });
}
