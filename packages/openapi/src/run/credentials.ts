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
  /** A key, or several that the API wants at once. */
  readonly apiKey?: ApiKeyCredential | readonly ApiKeyCredential[];
}

export interface ApiKeyCredential {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly value: Secret;
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
  for (const each of [apiKey ?? []].flat()) {
    const key = await reveal(each.value, ctx);
    if (!key) continue;
    if (each.in === 'query') url.searchParams.set(each.name, key);
    else if (each.in === 'header') headers.set(each.name, key);
    else {
      const cookies = [headers.get('cookie'), `${each.name}=${encodeURIComponent(key)}`].filter(Boolean);
      headers.set('cookie', cookies.join('; '));
    }
  }
}

const reveal = (secret: Secret, ctx: ToolContext) => (typeof secret === 'function' ? secret(ctx) : secret);
