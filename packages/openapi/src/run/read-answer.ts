import { apiError, failedAnswer } from './api-errors.js';

/** An answer that is not an error: its value, and the headers that say more. */
export interface ApiAnswer {
  /** Parsed JSON, or text; undefined without content. */
  readonly value: unknown;
  readonly headers: Headers;
}

/**
 * Reads an answer, but no more than `most` bytes.
 *
 * @throws {ToolError} with the API's own message if it is an error
 */
export async function readAnswer(name: string, response: Response, most: number): Promise<ApiAnswer> {
  const text = await textOfAnswer(name, response, most);
  if (!response.ok) throw failedAnswer(name, response, text);
  const { headers } = response;
  if (text === '') return { value: undefined, headers };
  const type = headers.get('content-type') ?? '';
  const looksLikeJson = /\bjson\b/.test(type) || (type === '' && /^\s*[[{]/.test(text));
  if (!looksLikeJson) return { value: text, headers };
  try {
    return { value: JSON.parse(text) as unknown, headers };
  } catch (cause) {
    throw apiError(
      'TW_OPENAPI_RESPONSE',
      `${name} answered with JSON that cannot be read.`,
      undefined,
      cause,
    );
  }
}

async function textOfAnswer(name: string, response: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > most)
      throw apiError('TW_OPENAPI_RESPONSE', `${name} answered with more than ${most} bytes. Ask for less.`);
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

/**
 * A value without the members that are null. APIs answer with null where their specifications say otherwise, and to a
 * model it says no more than a missing member.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => each !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(members.map(([name, each]) => [name, withoutNulls(each)]));
}
