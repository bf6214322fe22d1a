import { codeOf, cutText, readOtherScheme } from '@toolwright/json';
import { CommandError, visible } from '@toolwright/operate/terminal';

/** A page can be long, and an error of Express begins with what matters. */
const MOST_READ = 4_000;
const MOST_QUOTED = 200;

/** A text of a server, as far as a message quotes it. */
export const shortened = (text: string): string => visible(cutText(text, MOST_QUOTED));

/** What to do where a server wants to know who calls. An app in `dev` may trust the local issuer, whose users need no sign-in. */
export async function signInRefusal(url: URL, response: Response): Promise<string> {
  const challenge = response.headers.get('www-authenticate') ?? '';
  const other = readOtherScheme(challenge);
  if (other !== undefined) {
    const value = /^basic$/i.test(other) ? 'Basic <base64 of name:password>' : `${other} …`;
    return `${saidBy(url, response)}: it takes ${other}, and no token. Pass it: --header "Authorization: ${value}".`;
  }
  const sent = /error="?invalid_token/.test(challenge);
  const why = sent ? 'it does not accept this token' : 'it wants to know who calls';
  const { testUsersOf } = await import('./test-user-token.js');
  const users = await testUsersOf(url).catch(() => []);
  const way =
    users.length > 0
      ? `Call as a test user of toolwright dev: ${users.map((user) => `--as ${user}`).join(', ')}.`
      : `Sign in: toolwright login ${url.href}.`;
  return `${saidBy(url, response)}: ${why}. ${way} Or pass a token: --header "Authorization: Bearer <token>".`;
}

export function saidBy(url: URL, { status, statusText, headers }: Response): string {
  const wait = headers.get('retry-after');
  const later = wait === null ? '' : `, Retry-After: ${shortened(wait)}`;
  return `${url} answered ${status}${statusText && ` ${statusText}`}${later}`;
}

/** One sentence for an answer that is not a message of the protocol. */
export function refusalOf(url: URL, response: Response, text: string): string {
  const { status } = response;
  const said = saidBy(url, response);
  const own = quoted(text);
  if (status === 403)
    return `${said}${own ? `.${own}` : ': this caller, or this host name, may not use it.'}`;
  if (status === 404)
    return `${said}: there is no MCP endpoint. Its path is often /mcp; name it with --url.${own}`;
  return `${said}.${own}`;
}

/** What an app said in its own words, such as "invalid csrf token", without the tags of a page. */
export function quoted(text: string): string {
  const words = text
    .slice(0, MOST_READ)
    .replace(/<(head|script|style)\b[^]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/&(?:nbsp|#160);/g, ' ')
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&(?:#39|apos);/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
  return words === '' ? '' : ` It said: ${shortened(words)}`;
}

/** What to say of errors of the network whose own words do not help. */
const unreachableFor: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start the server, or name another one with --url.',
  ENOTFOUND: 'there is no host %.',
  EAI_AGAIN: 'there is no host %.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks HTTP without TLS. Write http://.',
};

/** The error of `fetch` says nothing; its cause contains the reason. */
export function unreachable(url: URL, error: unknown): unknown {
  const { cause } = error as { cause?: Error };
  if (!cause) return error;
  const code = codeOf(cause) ?? '';
  const trust = /CERT|VERIFY_LEAF/.test(code)
    ? ' If you trust it, pass its certificate or that of its issuer: NODE_EXTRA_CA_CERTS=<file>.'
    : '';
  const known = Object.hasOwn(unreachableFor, code) ? unreachableFor[code] : undefined;
  const why =
    known?.replace('%', url.hostname) ?? `${cause.message || code || 'the connection ended'}.${trust}`;
  return new CommandError(`${url} cannot be reached: ${why}`);
}
