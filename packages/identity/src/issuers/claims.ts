import { present, isObject } from '@toolwright/json';
import type { TokenClaims, TokenPrincipal } from './issuer-preset.js';
import type { IssuerOptions } from './issuer-options.js';

/** The text of a claim; `undefined` if it is empty or no text. */
export function textIn(claims: TokenClaims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The words of a claim that is a list, or one string of words. */
export function wordsIn(value: unknown): string[] {
  const words = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  return words.filter((word): word is string => typeof word === 'string' && word !== '');
}

/** A claim that is an object; an empty one otherwise. */
export function membersOf(value: unknown): TokenClaims {
  return isObject(value) ? value : {};
}

interface ReadCaller {
  readonly subject: string | undefined;
  readonly clientId?: string | undefined;
  readonly scopes: readonly string[];
}

/** The caller, with the scopes that an option adds. Without a subject, the server refuses the token. */
export function caller(
  claims: TokenClaims,
  { subject = '', clientId, scopes }: ReadCaller,
  { moreScopes }: IssuerOptions,
): TokenPrincipal {
  return present({ subject, clientId, scopes: [...new Set([...scopes, ...(moreScopes?.(claims) ?? [])])] });
}
