import { type OptionSchema, optionRules, type SignInPageOptions } from '@toolwright/core/options';
import { secureUrl } from './secure-url.js';

const { duration, callback, either, filledText, listOf, no, oauthScope, required, secret } = optionRules;

/** The options of each page on which people sign in. */
export const signInPageOptions = {
  url: required(secureUrl),
  issuer: required(secureUrl),
  clientId: required(filledText),
  clientSecret: secret(filledText),
  audience: either(filledText, no),
  scopes: listOf('a list of scopes', oauthScope),
  fetch: callback,
  lifetime: { ...duration, default: '10m' },
} satisfies OptionSchema<SignInPageOptions & { url: string; issuer: string; clientId: string }>;
