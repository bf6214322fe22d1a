import { type OptionSchema, optionRules, type SignInPageOptions } from '@toolwright/core/options';
import { isSecureUrl } from '@toolwright/json';

/** Only https, or this machine: everything else could be read and changed on the way. */
const secureUrl = {
  expected: 'an https URL (http on this machine), without a query or fragment',
  accepts(value: unknown) {
    if (typeof value !== 'string' || !isSecureUrl(value)) return false;
    const { search, hash } = new URL(value);
    return search === '' && hash === '';
  },
};

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
