import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '@toolwright/core/ports';
import { isSecureUrl, readUrl } from '@toolwright/json';
import { CommandError } from '@toolwright/operate/terminal';
import { PRIVATE_FILE, makePrivateFolder, readPrivateFile } from '../changes/private-file.js';
import { replaceFile } from '../changes/write-atomically.js';
import { hostPath, thisMachine } from '../install/find-hosts.js';

/** What `@toolwright/identity` returns of a sign-in. */
export interface NewSignIn {
  readonly resource: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  readonly client: { readonly id: string; readonly secret?: string };
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** How many seconds the access token is valid. */
  readonly lifetime?: number;
}

/** What is in the file. */
interface KeptToken extends Omit<NewSignIn, 'lifetime'> {
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PLACE = {
  linux: '~/.config/toolwright/tokens.json',
  darwin: '~/Library/Application Support/toolwright/tokens.json',
  win32: '%APPDATA%\\toolwright\\tokens.json',
};

/** The file of this person with the tokens. Nobody else may open it. */
export const tokenFile = (env: Environment) => hostPath(PLACE, thisMachine({ env } as never)).path;

/** A token that ends within this time may have ended when it arrives. */
const MARGIN_MS = 30_000;
const PATIENCE_MS = 8_000;
/** Longer than an issuer is waited for. */
const LOCK_MS = 10_000;
const PAUSE_MS = 50;

/**
 * The token for a server, with a new one in place of one that has ended.
 *
 * @returns `undefined` if nobody signed in for it
 * @throws {CommandError} if the sign-in has ended, or others could have read the file
 */
export async function tokenFor(url: URL, env: Environment): Promise<string | undefined> {
  const found = find(readAll(env), url);
  if (!found || !hasEnded(found)) return found?.accessToken;
  return alone(env, async () => {
    // Another command may have got a new one meanwhile. An issuer may take a second use of the old one for a theft.
    const now = find(readAll(env), url);
    if (!now || !hasEnded(now)) return now?.accessToken;
    const next = await refresh(now, url);
    writeAll(env, [next, ...readAll(env).filter((each) => each.resource !== now.resource)]);
    return next.accessToken;
  });
}

/** Keeps what a sign-in returned, in place of an earlier one. */
export function keepToken(signedIn: NewSignIn, env: Environment): Promise<void> {
  return alone(env, () =>
    writeAll(env, [
      dated(signedIn),
      ...readAll(env).filter(({ resource }) => resource !== signedIn.resource),
    ]),
  );
}

/**
 * Forgets a sign-in, here and at the issuer.
 *
 * @returns the issuer that it was of, and whether the issuer took it back; `undefined` if there was none
 */
export async function forgetToken(
  url: URL,
  env: Environment,
): Promise<{ readonly issuer: string; readonly isRevoked: boolean } | undefined> {
  const found = find(readAll(env), url);
  if (!found) return undefined;
  await alone(env, () =>
    writeAll(
      env,
      readAll(env).filter(({ resource }) => resource !== found.resource),
    ),
  );
  const token = found.refreshToken ?? found.accessToken;
  const { issuer, revocationEndpoint: place } = found;
  if (place === undefined || !isSecureUrl(place)) return { issuer, isRevoked: false };
  const answer = await post(place, found, { token }).catch(() => undefined);
  return { issuer, isRevoked: answer?.ok === true };
}

/** The resources that somebody signed in for. */
export const signedInFor = (env: Environment) => readAll(env).map(({ resource }) => resource);

/** The longest resource that the address is at or below. A token is for its own origin alone. */
function find(all: readonly KeptToken[], url: URL): KeptToken | undefined {
  const covers = ({ resource }: KeptToken) => {
    const { origin, pathname } = new URL(resource);
    const withSlash = (path: string) => (path.endsWith('/') ? path : `${path}/`);
    return origin === url.origin && withSlash(url.pathname).startsWith(withSlash(pathname));
  };
  return all.filter(covers).sort((one, other) => other.resource.length - one.resource.length)[0];
}

const hasEnded = ({ expiresAt }: KeptToken) =>
  expiresAt !== undefined && expiresAt - MARGIN_MS < systemClock.now();

async function refresh(old: KeptToken, url: URL): Promise<KeptToken> {
  const { issuer, refreshToken, resource } = old;
  const again = `Sign in again: toolwright login ${url.href}`;
  if (refreshToken === undefined) throw new CommandError(`The token of ${issuer} has ended. ${again}`);
  const asked = { grant_type: 'refresh_token', refresh_token: refreshToken, resource };
  const response = await post(old.tokenEndpoint, old, asked).catch((error: Error) => {
    throw new CommandError(`The token has ended, and ${issuer} gives no new one: ${error.message}.`);
  });
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const { access_token: accessToken, refresh_token: next, expires_in: lifetime } = answer;
  if (!response.ok || typeof accessToken !== 'string')
    throw new CommandError(
      `The token has ended, and ${issuer} gives no new one (${response.status}). ${again}`,
    );
  const { expiresAt: _ended, ...kept } = old;
  return dated({
    ...kept,
    accessToken,
    ...(typeof next === 'string' && { refreshToken: next }),
    ...(typeof lifetime === 'number' && { lifetime }),
  });
}

function dated({ lifetime, ...signedIn }: NewSignIn): KeptToken {
  return { ...signedIn, ...(lifetime !== undefined && { expiresAt: systemClock.now() + lifetime * 1_000 }) };
}

function post(url: string, { client }: KeptToken, fields: Record<string, string>): Promise<Response> {
  const own = { client_id: client.id, ...(client.secret !== undefined && { client_secret: client.secret }) };
  return fetch(url, {
    method: 'POST',
    // A redirect would take the secrets of the person to another place.
    redirect: 'error',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ ...fields, ...own }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
}

function readAll(env: Environment): readonly KeptToken[] {
  const path = tokenFile(env);
  const text = readPrivateFile(path);
  if (text === undefined) return [];
  try {
    return (JSON.parse(text) as { tokens: readonly KeptToken[] }).tokens.filter((each) =>
      readUrl(each.resource),
    );
  } catch {
    throw new CommandError(`${path} was not written by this command. Remove it, and sign in again.`);
  }
}

function writeAll(env: Environment, tokens: readonly KeptToken[]): void {
  replaceFile(tokenFile(env), `${JSON.stringify({ tokens }, null, 2)}\n`, { mode: PRIVATE_FILE });
}

/** Changes the file while no other command does. The lock of a command that was killed is taken after a while. */
async function alone<T>(env: Environment, change: () => T | Promise<T>): Promise<T> {
  const lock = `${tokenFile(env)}.lock`;
  makePrivateFolder(dirname(lock));
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      closeSync(openSync(lock, 'wx', PRIVATE_FILE));
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (waited >= LOCK_MS && existsSync(lock)) rmSync(lock, { force: true });
      else await setTimeout(PAUSE_MS);
    }
  }
  try {
    return await change();
  } finally {
    rmSync(lock, { force: true });
  }
}
