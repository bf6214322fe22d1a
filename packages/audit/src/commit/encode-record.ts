import type { AuditEvent, AuditPrincipal } from '@toolwright/core/ports';
import { canonicalJson } from '@toolwright/json';
import { type HmacKey, subjectDigest } from '../hmac-key.js';
import type { AuditRecord, ResultDigest } from '../record.js';

/** An event whose values can no longer change: the tool may change its arguments or a cached result afterwards. */
export interface TakenEvent {
  readonly event: AuditEvent;
  /** Canonical JSON; `undefined` if the arguments are not JSON. */
  readonly arguments: string | undefined;
  readonly result: string | undefined;
  readonly loggable: string | undefined;
}

/**
 * Writes an event as a line of the log, in two steps. `take` runs during the call. `encode` does the rest,
 * for all records of a turn of the event loop one after the other: the code of the hashes then stays in the
 * caches of the processor (see ADR 150). Only `seq`, which comes first, is left for the queue.
 */
export class RecordEncoder {
  private readonly operations = new DescribedOperations();
  private readonly key: HmacKey;
  private readonly hidesSubjects: boolean;

  /**
   * @param writer whose chain will contain the records
   * @param settings the key for the HMACs of values, and whether subjects are among them
   */
  constructor(
    private readonly writer: string,
    { key, subjects }: { readonly key: HmacKey; readonly subjects: 'plain' | 'digest' },
  ) {
    this.key = key;
    this.hidesSubjects = subjects === 'digest';
  }

  take(event: AuditEvent): TakenEvent {
    const { arguments: args, result, loggable } = event;
    return {
      event,
      arguments: args === undefined ? undefined : canonicalText(args),
      // A text is a result that was serialised before.
      result: typeof result === 'string' ? result : toJson(result),
      loggable: loggable && toJson(loggable),
    };
  }

  /** The line of a record after its `seq`, with the newline. */
  encode(taken: TakenEvent): string {
    const { event, loggable } = taken;
    const { id, time, callId, revision, outcome, reason, detail, count } = event;
    const { reference, durationMs, traceId, ip } = event;
    // Ids and event names come from us, so nothing in them needs escaping.
    const head = `,"id":"${id}","writer":"${this.writer}","time":${time},"event":"${event.event}","callId":"${callId}"`;
    const tail = stringify({
      principal: event.principal && this.named(event.principal),
      untrustedClient: event.client,
      revision,
      arguments: taken.arguments === undefined ? null : { hmac: this.key.digest(taken.arguments) },
      outcome,
      reason,
      detail,
      approver: event.approver && this.named(event.approver),
      count,
      reference,
      result: event.result === undefined ? undefined : this.digestResult(taken.result),
      durationMs,
      traceId,
      ip,
    });
    const end = loggable === undefined ? '}\n' : `,"loggable":${loggable}}\n`;
    return `${head},${this.operations.describe(event)},${tail.slice(1, -1)}${end}`;
  }

  private named(principal: AuditPrincipal): AuditPrincipal {
    if (!this.hidesSubjects) return principal;
    return { ...principal, subject: subjectDigest(this.key, principal) };
  }

  /**
   * The digest has a key, like that of the arguments. Anybody could guess the plain hash of a short result
   * ("yes").
   */
  private digestResult(text: string | undefined): ResultDigest | null {
    return text === undefined ? null : { hmac: this.key.digest(text), bytes: Buffer.byteLength(text) };
  }
}

/** The arguments of a client are always JSON. Those of a program may not be. */
function canonicalText(args: unknown): string | undefined {
  try {
    return canonicalJson(args);
  } catch {
    return undefined;
  }
}

type Tail = Omit<AuditRecord, 'seq' | 'id' | 'writer' | 'time' | 'event' | 'callId' | keyof Description>;

/** One record that is not JSON (a bigint in a subject) must not block all records after it. */
function stringify(tail: Tail): string {
  return toJson(tail) ?? JSON.stringify({ ...tail, principal: null, untrustedClient: null });
}

type Description = Pick<
  AuditEvent,
  'operation' | 'name' | 'contract' | 'annotations' | 'version' | 'deprecated'
>;

/**
 * How many descriptions are kept. Servers have fewer tools; the limit is for servers that add and remove
 * tools.
 */
const MAX_KEPT = 10_000;

/**
 * The part of a record that describes the called operation. It is written once, because it is the same for
 * all calls.
 */
class DescribedOperations {
  private readonly kept = new Map<string, { of: Description; text: string }>();

  /** Members of a record, without braces. */
  describe(event: Description): string {
    const kept = this.kept.get(event.name);
    if (kept && isSame(kept.of, event)) return kept.text;
    const { operation, name, contract, annotations, version, deprecated } = event;
    const of = { operation, name, contract, annotations, version, deprecated };
    // Annotations that are not JSON (such as a bigint) must not prevent the record.
    const text = (toJson(of) ?? JSON.stringify({ ...of, annotations: {} })).slice(1, -1);
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    this.kept.set(name, { of, text });
    return text;
  }
}

function isSame(one: Description, other: Description): boolean {
  return (
    one.annotations === other.annotations &&
    one.contract === other.contract &&
    one.version === other.version &&
    one.deprecated === other.deprecated &&
    one.operation === other.operation
  );
}

/** Returns JSON, or undefined if the value cannot be serialised. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
