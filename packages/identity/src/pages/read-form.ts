import { mediaTypeIn, readBody } from '@toolwright/json';
import type { IncomingMessage } from 'node:http';

/** Our forms have a few short fields. */
const LONGEST = 8_192;

/**
 * Reads a form that a page has posted. If a body parser ran first, its result counts.
 *
 * @returns `undefined` when the body is not a form, or too long
 */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams | undefined> {
  const { body } = req as { body?: unknown };
  if (typeof body === 'object' && body !== null) {
    const fields = Object.entries(body).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    );
    return new URLSearchParams(fields);
  }
  if (!isForm(req)) return undefined;
  const text = await readBody(req, LONGEST);
  return text && new URLSearchParams(text.toString());
}

export const isForm = ({ headers }: IncomingMessage): boolean =>
  mediaTypeIn(headers['content-type']) === 'application/x-www-form-urlencoded';

/** False for a form that a page of another origin has sent. A browser that says nothing is not refused. */
export function isSentByPageOf(ownOrigin: string, { headers }: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  return (origin === undefined || origin === ownOrigin) && (site === undefined || site === 'same-origin');
}
