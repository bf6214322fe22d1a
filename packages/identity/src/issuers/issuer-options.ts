import { present } from '@toolwright/json';
import { optionRules, type OptionSchema } from '@toolwright/core/options';
import type { FetchDocument, TokenClaims } from './issuer-preset.js';

/** What all presets take. */
export interface IssuerOptions {
  /** What `aud` of its tokens must contain. Default: what is usual for the issuer, or else the resource. */
  readonly audience?: string | readonly string[];
  /** Further scopes that a caller gets by the claims of its token, such as one for each group. */
  readonly moreScopes?: (claims: TokenClaims) => readonly string[];
  /** The URL of the keys. Default: the one that the issuer publishes. */
  readonly jwksUri?: string;
  /** Fetches metadata and keys. `fetchWithCa` trusts a CA of your own. Default: the global `fetch`. */
  readonly fetch?: FetchDocument;
}

const { callback, either, filledText, listOf } = optionRules;

export const texts = listOf('a list of strings', filledText);

/** The rules of `IssuerOptions`. */
export const issuerOptions = {
  audience: either(filledText, texts),
  moreScopes: callback,
  jwksUri: filledText,
  fetch: callback,
} satisfies OptionSchema<IssuerOptions>;

/** The members of a trusted issuer that an option sets. A member that is left out stays out. */
export function givenParts({ audience, jwksUri, fetch }: IssuerOptions) {
  return present<Pick<IssuerOptions, 'audience' | 'jwksUri' | 'fetch'>>({ audience, jwksUri, fetch });
}
