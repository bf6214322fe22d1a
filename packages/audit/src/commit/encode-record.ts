import type { AuditEvent } from '@toolwright/core';
import { canonicalJson } from '@toolwright/manifest';
import type { HmacKey } from '../hmac-key.js';
import type { AuditRecord, ResultDigest } from '../record.js';
import { DescribedOperations } from './described-operations.js';
import { toJson } from './to-json.js';

/**
 * Writes events as lines of the log, at once: a tool may change its own arguments or a cached result afterwards, and
 * text costs less to keep than what it was made of. Only `seq`, which comes first, is left for the commit.
 */
export class RecordEncoder {
  private readonly operations = new DescribedOperations();

  /**
   * @param writer whose chain the records become part of
   * @param key with which values are hashed
   */
  constructor(
    private readonly writer: string,
    private readonly key: HmacKey,
  ) {}

  /** The line of a record after its `seq`, newline included. */
  encode(event: AuditEvent): string {
    const { id, time, callId, revision, outcome, reason, detail, count, reference, durationMs, traceId, ip } =
      event;
    // Ids and the name of the event are our own words: nothing in them needs escaping.
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
      // A client's arguments are always JSON; a program's need not be.
      return null;
    }
  }

  /** Keyed like the arguments: a plain hash of a short result ("yes") is guessed in no time. */
  private digestResult(result: unknown): ResultDigest | null {
    // Text is a result that was serialised before.
    const text = typeof result === 'string' ? result : toJson(result);
    return text === undefined ? null : { hmac: this.key.digest(text), bytes: Buffer.byteLength(text) };
  }
}

type Tail = Omit<
  AuditRecord,
  'seq' | 'id' | 'writer' | 'time' | 'event' | 'callId' | 'operation' | 'name' | 'contract' | 'annotations'
>;

/** One record that is not JSON (a bigint in a subject) must not hold up all that come after it. */
function stringify(tail: Tail): string {
  return toJson(tail) ?? JSON.stringify({ ...tail, principal: null, untrustedClient: null });
}
