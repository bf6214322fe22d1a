import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { FetchDocument } from './issuer-preset.js';

export interface CaOptions {
  /** The certificate of the CA in PEM, or several of them. No other CA is trusted. */
  readonly ca?: string;
  /** A file with it. It is read at each fetch, because clusters replace it. */
  readonly caFile?: string;
  /** A file with a bearer token to send, such as that of a pod. It is read at each fetch. */
  readonly tokenFile?: string;
}

const { filledText } = optionRules;
const caOptions = {
  ca: filledText,
  caFile: filledText,
  tokenFile: filledText,
} satisfies OptionSchema<CaOptions>;

/** Metadata and keys of real issuers take some kilobytes. */
const MOST_BYTES = 1_048_576;

/**
 * A `fetch` for an issuer whose certificate is of a CA of your own: for its documents, and for what introspection and exchange
 * send to it. It follows no redirects.
 *
 * @throws {TypeError} when it is not clear which CA is trusted
 * @example
 * keycloak({ url: 'https://login.internal', realm: 'shop', fetch: fetchWithCa({ caFile: '/etc/ssl/internal-ca.pem' }) })
 */
export function fetchWithCa(given: CaOptions): FetchDocument {
  const { ca, caFile, tokenFile } = parseOptions('fetchWithCa', caOptions, given);
  if ((ca === undefined) === (caFile === undefined))
    throw new TypeError('fetchWithCa: set one of "ca" and "caFile".');
  return async (url, { method = 'GET', headers, body, signal }) => {
    const token = tokenFile === undefined ? undefined : readFileSync(tokenFile, 'utf8').trim();
    const sent = body === undefined || body === null ? '' : String(body as string | URLSearchParams);
    const options = {
      method,
      ca: ca ?? readFileSync(caFile!, 'utf8'),
      headers: {
        ...Object.fromEntries(new Headers(headers)),
        ...(body instanceof URLSearchParams && { 'content-type': FORM }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(signal && { signal }),
    };
    const answer = await send(url, options, sent);
    const type = answer.headers['content-type'];
    return new Response(await bodyOf(answer), {
      status: answer.statusCode ?? 500,
      ...(type !== undefined && { headers: { 'content-type': type } }),
    });
  };
}

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';

function send(url: string, options: RequestOptions, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, options, resolve).once('error', reject).end(body);
  });
}

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error(`The document is larger than ${MOST_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
