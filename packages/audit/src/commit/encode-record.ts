import { writeJson } from '@toolwright/core/transport';
import type { AuditEvent, AuditPrincipal } from '@toolwright/core/ports';
import { numberText, quoted, wellFormedJson } from '@toolwright/json';
import { type CanonicalText, canonicalText } from '../canonical-text.js';
import { type HmacKey, subjectDigest } from '../hmac-key.js';
import type { AuditRecord } from '../record.js';
import { readableBytes } from './readable-bytes.js';

/** An event whose values can no longer change: the tool may change its arguments or a cached result afterwards. */
export interface TakenEvent {
  readonly event: AuditEvent;
  /** `undefined` if there are no arguments, or if they are not JSON. */
  readonly arguments: CanonicalText | undefined;
  readonly result: string | undefined;
  /** The bytes of the result that a model reads, where they are not those of the text. */
  readonly read: number | undefined;
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
  private stamp = { time: 0, text: '0' };
  /** What the records before had, by the names of members: texts that mostly stay the same. */
  private readonly written = new Map<string, { of: string; text: string }>();
  private client: Client & { text: string } = { text: ',"untrustedClient":{}' };

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
      arguments: args === undefined ? undefined : textOf(args),
      // A text is a result that was serialised before.
      result: typeof result === 'string' ? result : toJson(result),
      read: readableBytes(result),
      loggable: loggable && toJson(loggable),
    };
  }

  /** The line of a record after its `seq`, with the newline. */
  encode(taken: TakenEvent): string {
    const { event, loggable } = taken;
    const { id, time, callId } = event;
    // Ids and event names come from us, so nothing in them needs escaping.
    const head = `,"id":"${id}","writer":"${this.writer}","time":${this.stampOf(time)},"event":"${event.event}","callId":"${callId}"`;
    const end = loggable === undefined ? '}\n' : `,"loggable":${loggable}}\n`;
    return `${head},${this.operations.describe(event)}${this.tail(taken)}${end}`;
  }

  /**
   * What differs from call to call. JSON.stringify of one object with all of it takes twice as long. A value that is not
   * JSON (a bigint among the claims) must not block the records after it, so it becomes null.
   */
  private tail({ event, arguments: args, result, read }: TakenEvent): string {
    const { principal, client, revision, outcome, reason, detail, approver } = event;
    const { count, reference, durationMs, traceId, ip, parent, program } = event;
    let text = member('principal', principal && this.named(principal)) + this.clientMember(client);
    text += this.sameMember('revision', revision);
    text += args === undefined ? ',"arguments":null' : `,"arguments":${this.digestArguments(args)}`;
    text += this.sameMember('outcome', outcome) + textMember('reason', reason) + textMember('detail', detail);
    text += member('approver', approver && this.named(approver)) + member('count', count);
    text += textMember('reference', reference);
    if (event.result !== undefined) text += `,"result":${this.digestResult(result, read)}`;
    if (durationMs !== undefined) text += `,"durationMs":${numberText(durationMs)}`;
    text += textMember('traceId', traceId) + this.sameMember('ip', ip);
    return text + textMember('parent', parent) + textMember('program', program);
  }

  private named(principal: AuditPrincipal): AuditPrincipal {
    if (!this.hidesSubjects) return principal;
    return { ...principal, subject: subjectDigest(this.key, principal) };
  }

  /** Many records are of the same millisecond. */
  private stampOf(time: number): string {
    if (this.stamp.time !== time) this.stamp = { time, text: numberText(time) };
    return this.stamp.text;
  }

  /** Writes a text again only if the record before had another one. */
  private sameMember(name: keyof AuditRecord, text: string | undefined): string {
    if (text === undefined) return '';
    let written = this.written.get(name);
    if (written?.of !== text) this.written.set(name, (written = { of: text, text: textMember(name, text) }));
    return written.text;
  }

  private clientMember(client: AuditEvent['client']): string {
    if (!client) return member('untrustedClient', client);
    const { name, version } = client;
    if (name !== this.client.name || version !== this.client.version)
      this.client = {
        name,
        version,
        text: member('untrustedClient', { name, version }),
      } as typeof this.client;
    return this.client.text;
  }

  private digestArguments({ text, isDigested }: CanonicalText): string {
    return `{"hmac":"${this.key.digest(text)}"${isDigested ? ',"form":2' : ''}}`;
  }

  /**
   * The digest has a key, like that of the arguments. Anybody could guess the plain hash of a short result
   * ("yes").
   */
  private digestResult(text: string | undefined, read: number | undefined): string {
    if (text === undefined) return 'null';
    const { hmac, bytes } = this.key.measure(text);
    const part = read === undefined || read === bytes ? '' : `,"read":${read}`;
    return `{"hmac":"${hmac}","bytes":${bytes}${part}}`;
  }
}

/** The arguments of a client are always JSON. Those of a program may not be. */
function textOf(args: unknown): CanonicalText | undefined {
  try {
    return canonicalText(args);
  } catch {
    return undefined;
  }
}

/** A member with a comma before it; nothing for `undefined`. */
function member(name: keyof AuditRecord, value: unknown): string {
  if (value === undefined) return '';
  return value === null ? `,"${name}":null` : `,"${name}":${toJson(value) ?? 'null'}`;
}

function textMember(name: keyof AuditRecord, text: string | undefined): string {
  return text === undefined ? '' : `,"${name}":${wellFormedJson(quoted(text))}`;
}

type Client = NonNullable<AuditEvent['client']>;

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
    return writeJson(value);
  } catch {
    return undefined;
  }
}
