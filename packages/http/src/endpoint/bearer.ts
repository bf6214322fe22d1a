/** The parameters of a `WWW-Authenticate` header (RFC 6750, RFC 9449, RFC 9728). */
export interface ChallengeParameters {
  error?: string;
  error_description?: string;
  scope?: string;
  resource_metadata?: string | undefined;
  /** Algorithms of proofs. */
  algs?: string;
}

export type TokenScheme = 'Bearer' | 'DPoP';

/** Writes the header. The values are ours or configured. Quotes and control characters are still dropped. */
export function challengeText(scheme: TokenScheme, parameters: ChallengeParameters): string {
  const parts = Object.entries(parameters)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}="${String(value).replace(/[^\x20-\x7e]|["\\]/g, '')}"`);
  return parts.length ? `${scheme} ${parts.join(', ')}` : scheme;
}

/** How a call is refused whose caller lacks scopes. It decides the form only, never who may call. */
export type ChallengeForm = 'http' | 'result' | 'auto';

/**
 * Clients that look for a challenge only in the result of a tool, by the name in their `clientInfo`. ChatGPT is
 * `openai-mcp`. docs/authorization.md has the same list.
 */
const readResultsOnly: readonly string[] = ['openai-mcp'];

/** @param client what the client calls itself: the name, or the name and a version (`openai-mcp/1.0.0`) */
export function formFor(form: ChallengeForm, client: string | undefined): 'http' | 'result' {
  if (form !== 'auto') return form;
  const [name = ''] = (client ?? '').split('/', 1);
  return readResultsOnly.includes(name.toLowerCase()) ? 'result' : 'http';
}

/** What an `Authorization` header contains. */
type SentToken =
  { kind: 'none' } | { kind: 'malformed' } | { kind: 'token'; token: string; scheme: TokenScheme };

/**
 * Reads the token of RFC 6750 section 2.1. Only the header counts. A token in the query string or the body
 * would end up in logs, and the specification forbids it.
 *
 * @param knowsDpop true to read the scheme of RFC 9449, too
 */
export function readToken(header: string | undefined, knowsDpop: boolean): SentToken {
  if (header === undefined) return { kind: 'none' };
  const isBearer = /^bearer(?:\s|$)/i.test(header);
  if (!isBearer && !(knowsDpop && /^dpop(?:\s|$)/i.test(header))) return { kind: 'none' };
  const token = /^[a-z]+ +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  return token ? { kind: 'token', token, scheme: isBearer ? 'Bearer' : 'DPoP' } : { kind: 'malformed' };
}
