import { isUtf8 } from 'node:buffer';
import { quoteLongIntegers } from '@toolwright/core/transport';
import { mediaTypeIn } from '@toolwright/json';
import { isFile, isJson, isJsonLines, isText } from '../model/media-types.js';
import { apiError, clean, failedAnswer } from './api-errors.js';
import type { TextAnswer } from './send-request.js';

/** An answer that is not an error: its value, and the headers that say more. */
export interface ApiAnswer {
  /** Parsed JSON, or text; undefined without content. */
  readonly value: unknown;
  /** As it came. */
  readonly text: string;
  readonly headers: Headers;
  readonly status: number;
  /** Why the value, which should be JSON, is the text as it came. */
  readonly broken?: unknown;
}

/**
 * The value of an answer.
 *
 * @throws {ToolError} with the API's own message if it is an error
 */
export function readAnswer(name: string, { response, text }: TextAnswer): ApiAnswer {
  if (!response.ok) throw failedAnswer(name, response, text);
  const { headers, status } = response;
  const answer = { text, headers, status };
  if (text === '') return { ...answer, value: undefined };
  const type = headers.get('content-type') ?? '';
  try {
    if (isJsonLines(type)) return { ...answer, value: linesIn(text) };
    const isLikeJson = isJson(type) || (type === '' && /^\s*[[{]/.test(text));
    return { ...answer, value: isLikeJson ? valueOf(text) : text };
  } catch (broken) {
    // The request was carried out. An operation that promises a text, or nothing, needs no JSON.
    return { ...answer, value: text, broken };
  }
}

const RECORD = '\u001e';

/** Values of JSON, a line each. In a sequence (RFC 7464) a control character is before each. */
const linesIn = (text: string): unknown[] =>
  text
    .replaceAll(RECORD, '\n')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(valueOf);

/** A long integer is a string of its digits there: a number would be another one. */
const valueOf = (text: string) => JSON.parse(quoteLongIntegers(text)) as unknown;

/**
 * The value that an operation promises as JSON.
 *
 * @throws {ToolError} that says what came in its place. The request was carried out, so the text does not call it failed
 */
export function promisedValue(name: string, { status, value, headers, broken }: ApiAnswer): unknown {
  if (value === undefined)
    throw apiError(
      'TW_OPENAPI_RESPONSE',
      `${name} was carried out. It answered ${status} without content, so there is no result to show.`,
    );
  const type = headers.get('content-type') ?? '';
  if (typeof value !== 'string' || (isJson(type) && broken === undefined)) return value;
  try {
    // Some APIs send JSON under another name.
    if (broken === undefined) return valueOf(value);
  } catch {
    // The error says what came.
  }
  const what =
    broken === undefined ? `${mediaTypeIn(type) || 'text'} in the place of JSON` : 'JSON that cannot be read';
  const said = /^\s*</.test(value) ? '' : `: ${clean(value)}`;
  throw apiError(
    'TW_OPENAPI_RESPONSE',
    `${name} was carried out. It answered ${status} with ${what}${said}`,
    undefined,
    broken,
  );
}

/**
 * Reads the text of an answer.
 *
 * @throws {ToolError} if it has more than `most` bytes
 */
export async function textOfAnswer(name: string, response: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > most)
      throw apiError('TW_OPENAPI_RESPONSE', `${name} answered with more than ${most} bytes. Ask for less.`);
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  const type = response.headers.get('content-type') ?? '';
  // Bytes of an image or another file have no form as text.
  const isBytes = !isText(type) && (isFile(type) || !isKnownText(bytes, type));
  return response.ok && isBytes ? bytes.toString('base64') : decode(bytes, type);
}

/** Whether the type says that it is a text, or the bytes are one. Tables and fonts have types without number. */
const isKnownText = (bytes: Buffer, type: string) =>
  isJson(type) || /charset\s*=/i.test(type) || isUtf8(bytes);

/** The text in the characters that the API names. Without a name, or with an unknown one, they are UTF-8. */
function decode(bytes: Uint8Array, type: string): string {
  const [, charset = 'utf-8'] = /charset\s*=\s*"?([^\s;"]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/**
 * A value without the members of objects that are null. APIs answer with null where their specifications say otherwise, and
 * to a model it says no more than a missing member. In a list it says where nothing is, so there it stays.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(members.map(([name, each]) => [name, withoutNulls(each)]));
}
