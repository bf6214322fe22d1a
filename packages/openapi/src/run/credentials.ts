import type { ToolContext } from '@toolwright/core';
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
  readonly apiKey?: {
    readonly in: 'header' | 'query' | 'cookie';
    readonly name: string;
    readonly value: Secret;
  };
}

/** Adds the credentials of a call to a request. */
export async function addCredentials(
  { url, headers }: BuiltRequest,
  { token, basic, apiKey }: ApiCredentials,
  ctx: ToolContext,
): Promise<void> {
  const bearer = await reveal(token, ctx);
  if (bearer) headers.set('authorization', `Bearer ${bearer}`);
  else if (basic?.username !== undefined) {
    const text = `${basic.username}:${basic.password ?? ''}`;
    headers.set('authorization', `Basic ${Buffer.from(text).toString('base64')}`);
  }
  const key = apiKey && (await reveal(apiKey.value, ctx));
  if (!apiKey || !key) return;
  if (apiKey.in === 'query') url.searchParams.set(apiKey.name, key);
  else if (apiKey.in === 'header') headers.set(apiKey.name, key);
  else {
    const cookies = [headers.get('cookie'), `${apiKey.name}=${encodeURIComponent(key)}`].filter(Boolean);
    headers.set('cookie', cookies.join('; '));
  }
}

const reveal = (secret: Secret, ctx: ToolContext) => (typeof secret === 'function' ? secret(ctx) : secret);
