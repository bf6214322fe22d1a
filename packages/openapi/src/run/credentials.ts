import type { ToolContext } from '@toolwright/core';
import type { ApiRequest } from './api-request.js';
import type { BuiltRequest } from './build-request.js';

/** A secret, or a function that finds the one of a call. A missing one is not sent. */
export type Secret =
  string | undefined | ((ctx: ToolContext) => string | undefined | Promise<string | undefined>);

/** How calls prove to the API who they are. */
export interface ApiCredentials {
  /**
   * A bearer token. For a token of the caller, pass a function, such as
   * `(ctx) => ctx.tokenFor('https://api.example')` with `@toolwright/identity`.
   */
  readonly token?: Secret;
  readonly basic?: { readonly username: string | undefined; readonly password: string | undefined };
  /** A key, or several that the API wants at once. */
  readonly apiKey?: ApiKeyCredential | readonly ApiKeyCredential[];
}

export interface ApiKeyCredential {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly value: Secret;
}

/** A credential that the client has, and how a request has it. */
interface Offered {
  readonly name: string;
  reveal(): string | undefined | Promise<string | undefined>;
  add(secret: string): void;
}

/**
 * Adds the credentials of a call to a request.
 *
 * @param auth the credentials that the operation takes, as `auth` of a request says it
 */
export async function addCredentials(
  request: BuiltRequest,
  { credentials, auth }: { credentials: ApiCredentials; auth: ApiRequest['auth'] },
  ctx: ToolContext,
): Promise<void> {
  const all = offeredBy(credentials, request, ctx);
  for (const [each, secret] of await chosenOf(all, auth)) each.add(secret);
}

function offeredBy(
  { token, basic, apiKey }: ApiCredentials,
  request: BuiltRequest,
  ctx: ToolContext,
): Offered[] {
  const { url, headers } = request;
  const { username, password = '' } = basic ?? {};
  const ofBasic = () =>
    username === undefined ? undefined : Buffer.from(`${username}:${password}`).toString('base64');
  return [
    {
      name: 'bearer',
      reveal: () => reveal(token, ctx),
      add: (secret) => headers.set('authorization', `Bearer ${secret}`),
    },
    { name: 'basic', reveal: ofBasic, add: (secret) => headers.set('authorization', `Basic ${secret}`) },
    ...[apiKey ?? []].flat().map(({ in: place, name, value }) => ({
      name: comparable(`${place} ${name}`),
      reveal: () => reveal(value, ctx),
      add(secret: string) {
        if (place === 'query') url.searchParams.set(name, secret);
        else if (place === 'header') headers.set(name, secret);
        else {
          const cookies = [headers.get('cookie'), `${name}=${encodeURIComponent(secret)}`].filter(Boolean);
          headers.set('cookie', cookies.join('; '));
        }
      },
    })),
  ];
}

/** Names of headers are the same in any case (RFC 9110, 5.1). */
const comparable = (name: string) => (name.startsWith('header ') ? name.toLowerCase() : name);

type Revealed = readonly [Offered, string];

/** The first list of which everything is there; otherwise what is there of the first list that has anything. */
async function chosenOf(all: readonly Offered[], auth: ApiRequest['auth']): Promise<readonly Revealed[]> {
  if (auth === undefined) return revealed(all);
  let some: readonly Revealed[] = [];
  for (const list of auth) {
    const names = list.map(comparable);
    const found = await revealed(all.filter(({ name }) => names.includes(name)));
    if (names.length > 0 && found.length === names.length) return found;
    if (some.length === 0) some = found;
  }
  return some;
}

/** The credentials that are there for this call. A token is worth more than a password, and a request has one of them. */
async function revealed(all: readonly Offered[]): Promise<Revealed[]> {
  const found: Revealed[] = [];
  for (const each of all) {
    if (each.name === 'basic' && found.some(([{ name }]) => name === 'bearer')) continue;
    const secret = await each.reveal();
    if (secret) found.push([each, secret]);
  }
  return found;
}

const reveal = (secret: Secret, ctx: ToolContext) => (typeof secret === 'function' ? secret(ctx) : secret);
