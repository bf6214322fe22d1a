import { cutText, isObject } from '@toolwright/json';
import type { RecordedSpan } from '../api/record-api.js';

/** The spans of one request of an exporter. */
export interface ReadSpans {
  readonly spans: readonly RecordedSpan[];
  /** How many entries were dropped, because they are not spans or because there were too many. */
  readonly rejected: number;
}

/** An SDK sends 512 at once by default. */
const MAX_SPANS = 2_048;
const MAX_ATTRIBUTES = 64;
const MAX_NAME = 256;
/** The characters of all attributes of one span: the memory of a console is bounded by this and the kept spans. */
const MAX_CHARACTERS = 8_192;
const MAX_DEPTH = 4;

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the body of an export request: `ExportTraceServiceRequest` in the JSON form of OTLP. What an app sends is not
 * trusted: everything is checked, and everything has a limit.
 */
export function readSpans(body: unknown): ReadSpans {
  const spans: RecordedSpan[] = [];
  let rejected = 0;
  for (const resource of listOf(fieldsOf(body)['resourceSpans']))
    for (const scope of listOf(fieldsOf(resource)['scopeSpans']))
      for (const each of listOf(fieldsOf(scope)['spans'])) {
        const span = spans.length < MAX_SPANS ? readSpan(fieldsOf(each)) : undefined;
        if (span) spans.push(span);
        else rejected++;
      }
  return { spans, rejected };
}

function readSpan(given: Fields): RecordedSpan | undefined {
  const traceId = readId(given['traceId'], 32);
  const spanId = readId(given['spanId'], 16);
  const startMs = readTime(given['startTimeUnixNano']);
  const endMs = readTime(given['endTimeUnixNano']);
  if (!traceId || !spanId || startMs === undefined || endMs === undefined || endMs < startMs)
    return undefined;
  const parentSpanId = readId(given['parentSpanId'], 16);
  const { code } = fieldsOf(given['status']);
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: typeof given['name'] === 'string' ? cutText(given['name'], MAX_NAME) : '',
    kind: readKind(given['kind']),
    startMs,
    endMs,
    failed: code === 2 || code === 'STATUS_CODE_ERROR',
    attributes: new AttributeReader().read(given['attributes']),
  };
}

/** An id in hexadecimal. Zeros alone mean that there is no id. */
function readId(value: unknown, length: number): string | undefined {
  if (typeof value !== 'string' || value.length !== length || !/^[0-9a-f]+$/i.test(value)) return undefined;
  return /^0+$/.test(value) ? undefined : value.toLowerCase();
}

/** Nanoseconds since the epoch as text, because they do not fit a number. The fraction of a millisecond is kept. */
function readTime(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) return undefined;
  return Number(text.slice(0, -6) || '0') + Number(text.slice(-6)) / 1e6;
}

function readKind(value: unknown): string {
  if (typeof value === 'number') return kinds[value] ?? 'unspecified';
  const name = typeof value === 'string' ? value.replace(/^SPAN_KIND_/, '').toLowerCase() : '';
  return kinds.includes(name) ? name : 'unspecified';
}

/** Names of attributes whose values are secrets, such as `http.request.header.authorization`. */
const secret =
  /(^|[._-])(authorization|(set-)?cookie|password|passwd|secret|(access|refresh|id)?_?token|api[_-]?key)$/i;

/** Reads the attributes of one span, until their characters are used up. */
class AttributeReader {
  #left = MAX_CHARACTERS;

  read(given: unknown): Record<string, unknown> {
    return this.#pairs(given, 0);
  }

  #pairs(given: unknown, depth: number): Record<string, unknown> {
    const pairs: [string, unknown][] = [];
    for (const each of listOf(given).slice(0, MAX_ATTRIBUTES)) {
      const { key, value } = fieldsOf(each);
      if (typeof key !== 'string' || this.#left <= 0) continue;
      const name = this.#cut(key);
      pairs.push([name, secret.test(key) ? '[sensitive]' : this.#value(fieldsOf(value), depth)]);
    }
    // Own properties whatever their names are: `__proto__` is one like all others.
    return Object.fromEntries(pairs);
  }

  #value(value: Fields, depth: number): unknown {
    const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue } = value;
    if (typeof stringValue === 'string') return this.#cut(stringValue);
    if (typeof boolValue === 'boolean') return boolValue;
    if (typeof intValue === 'number' || typeof intValue === 'string') return readInteger(intValue);
    if (typeof doubleValue === 'number') return doubleValue;
    if (depth >= MAX_DEPTH) return null;
    if (arrayValue !== undefined)
      return listOf(fieldsOf(arrayValue)['values'])
        .slice(0, MAX_ATTRIBUTES)
        .map((each) => (this.#left-- > 0 ? this.#value(fieldsOf(each), depth + 1) : null));
    if (kvlistValue !== undefined) return this.#pairs(fieldsOf(kvlistValue)['values'], depth + 1);
    return null;
  }

  #cut(text: string): string {
    const kept = cutText(text, Math.max(this.#left, 0), '…');
    this.#left -= text.length;
    return kept;
  }
}

/** 64-bit numbers come as text. */
function readInteger(value: number | string): number | string | null {
  if (typeof value === 'number') return value;
  if (!/^-?\d{1,20}$/.test(value)) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
