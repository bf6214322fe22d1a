import { isObject } from '@toolwright/json';
/** What an adapter needs to reach its engine. */
export interface EngineRequest {
  readonly url: string;
  readonly body: unknown;
  /** Sent as a bearer token. */
  readonly token: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** A decision is short. A longer answer is something else. */
const MOST_BYTES = 65_536;

/** Asks an engine over HTTP. @throws for a status other than 200, and for anything but an object of JSON */
export async function postJson(request: EngineRequest): Promise<Readonly<Record<string, unknown>>> {
  const { url, body, token, fetch, signal } = request;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    // Whoever answers at another address is not the engine that was configured.
    redirect: 'error',
    signal,
  });
  const text = await readText(response);
  if (response.status !== 200) throw new Error(`The policy engine answered with status ${response.status}.`);
  const answer: unknown = JSON.parse(text);
  if (isObject(answer)) return answer;
  throw new TypeError('The policy engine answered with something else than an object.');
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`The policy engine answered with more than ${MOST_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}
