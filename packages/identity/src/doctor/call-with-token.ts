import { routingHeaders } from '@toolwright/core/transport';
import { type SignInAnswer, type Wire, described, isFromBetween } from './ask.js';
import { type BearerChallenge, readChallenge } from './challenge.js';
import { CLOCK_SECONDS, type IssuerMetadata } from './discover-issuer.js';
import { type SignInProblemCode, SignInProblem } from './problems.js';
import {
  HELLO_ID,
  UNSUPPORTED_VERSION,
  isAnswerTo,
  notOfMcp,
  post,
  rpcCodeIn,
  sayHello,
} from './find-endpoint.js';

export interface CallWish {
  readonly url: string;
  readonly token: string;
  readonly issuer: IssuerMetadata;
  readonly resource: string;
  /** The scopes of the token, if the issuer said them. */
  readonly granted: string | undefined;
  /** A tool to call without arguments. */
  readonly tool: string | undefined;
  readonly now: number;
}

/** Uses the token as a client would: it says hello, and lists the tools or calls one. */
export async function callWithToken(wire: Wire, wish: CallWish, notes: string[]): Promise<void> {
  const { url, token, tool } = wish;
  const hello = await sayHello(wire, url, token);
  const isStateless = hello.status === 400 && rpcCodeIn(hello) === UNSUPPORTED_VERSION;
  if (!isStateless) await judge(wire, hello, wish, HELLO_ID);
  const session = hello.headers.get('mcp-session-id');
  const version = (hello.json?.['result'] as { protocolVersion?: unknown } | undefined)?.protocolVersion;
  const headers = {
    ...(session !== null && { 'mcp-session-id': session }),
    ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
  };
  const send = (message: Message) =>
    post(wire, url, { token, ...(isStateless ? stateless(message) : { headers, body: textOf(message) }) });
  if (!isStateless) await send({ method: 'notifications/initialized' });
  const answer = await send(
    tool === undefined
      ? { id: CALL_ID, method: 'tools/list', params: {} }
      : { id: CALL_ID, method: 'tools/call', params: { name: tool, arguments: {} } },
  );
  await judge(wire, answer, wish, CALL_ID);
  const challenge = readChallenge(challengeInside(answer) ?? null);
  if (challenge?.error === 'insufficient_scope') throw lacksScope(challenge, wish);
  if (answer.json?.['error'] !== undefined) throw new SignInProblem('call-refused', `${described(answer)}.`);
  notes.push(tool === undefined ? 'The server lists its tools.' : `The server ran ${tool}.`);
}

const CALL_ID = 2;

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: object };
}

const textOf = (message: Message): string => JSON.stringify({ jsonrpc: '2.0', ...message });

/** The same message in the revision that has no handshake. */
function stateless({ params = {}, ...message }: Message): { headers: Record<string, string>; body: string } {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'toolwright doctor', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      ...routingHeaders('2026-07-28', { ...message, params: { ...params } }),
    },
    body: textOf({ ...message, params: { ...params, _meta: meta } as Message['params'] & object }),
  };
}

/** Some servers answer 200, with the challenge in the result. */
function challengeInside({ json }: SignInAnswer): string | undefined {
  const result = json?.['result'] as { _meta?: Record<string, unknown> } | undefined;
  const found = result?._meta?.['mcp/www_authenticate'];
  const first: unknown = Array.isArray(found) ? found[0] : found;
  return typeof first === 'string' ? first : undefined;
}

/** @param id the id of the request */
async function judge(wire: Wire, answer: SignInAnswer, wish: CallWish, id: number): Promise<void> {
  const { status, headers } = answer;
  if (status < 300 && isAnswerTo(id, answer)) return;
  // No words of it are shown: what echoes its request has the token in it.
  if (status < 300) throw new SignInProblem('call-blocked', notOfMcp(answer));
  if (isFromBetween(answer)) throw new SignInProblem('call-blocked', `${described(answer)}.`);
  const challenge = readChallenge(headers.get('www-authenticate')) ?? {};
  if (challenge.error === 'insufficient_scope') throw lacksScope(challenge, wish);
  if (status === 503) throw new SignInProblem('keys-unreachable', `${described(answer)}.`);
  if (status !== 401) throw new SignInProblem('call-refused', `${described(answer)}.`);
  if (challenge.error === undefined)
    throw new SignInProblem('token-not-seen', `${described(answer)}, as it did without a token.`);
  const found = findReason(challenge, wish) ?? (await missesKey(wire, wish));
  throw new SignInProblem(found ?? 'call-refused', problemOf(found, challenge, wish));
}

function lacksScope({ scope }: BearerChallenge, { granted }: CallWish): SignInProblem {
  return new SignInProblem(
    'scope-missing',
    `The call needs the scope ${scope ?? 'that the challenge does not name'}; the token has ${granted ?? 'scopes that the issuer did not name'}.`,
  );
}

/** What servers say. The texts are those of Toolwright; other servers use similar words, or none. */
const said: readonly (readonly [RegExp, SignInProblemCode])[] = [
  [/expired|not (?:yet )?valid yet|not yet valid|nbf|iat\b|\bexp\b/i, 'token-clock'],
  [/not active/i, 'token-inactive'],
  [/not valid for this resource|audience|\baud\b/i, 'token-audience'],
  [/another issuer|issuer|\biss\b/i, 'token-issuer'],
  [/unknown key|\bkid\b|no (?:matching|applicable) key/i, 'token-key'],
  [/signature/i, 'token-signature'],
  [/another kind|bound to a key|id token|dpop/i, 'token-kind'],
  [/no JWT|malformed|opaque|decode/i, 'token-opaque'],
  [/no subject|no tenant|lacks a claim/i, 'token-claim'],
];

/** What the server says comes first. Where it says nothing of use, the token itself is looked at. */
function findReason(
  { error_description: text = '' }: BearerChallenge,
  wish: CallWish,
): SignInProblemCode | undefined {
  const token = readToken(wish.token);
  const [, ofServer] = said.find(([pattern]) => pattern.test(text)) ?? [];
  return ofServer ?? (token ? evidenceIn(token, wish) : 'token-opaque');
}

function evidenceIn(
  { claims }: ReadToken,
  { issuer, resource, now }: CallWish,
): SignInProblemCode | undefined {
  const seconds = now / 1_000;
  const time = (name: string) => (typeof claims[name] === 'number' ? claims[name] : seconds);
  const isEarly = Math.max(time('iat'), time('nbf')) > seconds + CLOCK_SECONDS;
  if (isEarly || time('exp') < seconds) return 'token-clock';
  if (claims['iss'] !== issuer.issuer) return 'token-issuer';
  const audiences = [claims['aud']].flat();
  const bare = (text: unknown) => String(text).replace(/\/$/, '');
  return audiences.some((each) => bare(each) === bare(resource)) ? undefined : 'token-audience';
}

/** Looks whether the issuer publishes the key that it signed with. */
async function missesKey(wire: Wire, { token, issuer }: CallWish): Promise<SignInProblemCode | undefined> {
  const kid = readToken(token)?.header['kid'];
  if (issuer.jwksUri === undefined || kid === undefined) return undefined;
  const { json } = await wire.ask('issuer-unreachable', issuer.jwksUri);
  const keys = json?.['keys'];
  const isThere = Array.isArray(keys) && keys.some((key: { kid?: unknown } | null) => key?.kid === kid);
  return isThere ? undefined : 'token-key';
}

function problemOf(code: SignInProblemCode | undefined, challenge: BearerChallenge, wish: CallWish): string {
  const server = `The server says: ${challenge.error_description ?? challenge.error}`;
  const { claims, header } = readToken(wish.token) ?? { claims: {}, header: {} };
  const at = (name: string) =>
    typeof claims[name] === 'number' ? new Date(claims[name] * 1_000).toISOString() : 'never';
  switch (code) {
    case 'token-audience':
      return `${server} The token is for ${JSON.stringify(claims['aud'] ?? null)}, the resource is ${wish.resource}.`;
    case 'token-issuer':
      return `${server} The token says iss ${JSON.stringify(claims['iss'] ?? null)}.`;
    case 'token-clock':
      return `${server} The token was issued at ${at('iat')} and ends at ${at('exp')}; here it is ${new Date(wish.now).toISOString()}.`;
    case 'token-key':
      return `${server} The token is signed with the key ${JSON.stringify(header['kid'] ?? null)}.`;
    default:
      return server;
  }
}

/** What a token says. Nothing here is verified: it explains what a server has refused. */
interface ReadToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** `undefined` for a token that is not a JWT. */
function readToken(token: string): ReadToken | undefined {
  const [header, claims, signature] = token.split('.');
  if (signature === undefined) return undefined;
  try {
    return { header: partOf(header!), claims: partOf(claims!) };
  } catch {
    return undefined;
  }
}

function partOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  if (typeof value !== 'object' || value === null) throw new TypeError('no object');
  return value as Readonly<Record<string, unknown>>;
}
