import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { IssuerPreset } from './issuer-preset.js';
import { caller, textIn } from './claims.js';
import { givenParts, issuerOptions, type IssuerOptions, texts } from './issuer-options.js';

export interface GoogleOptions extends IssuerOptions {
  /** The service accounts that may call, by e-mail address, or a function that knows them. */
  readonly serviceAccounts: readonly string[] | ((email: string) => boolean);
}

const { callback, either, required } = optionRules;

const googleOptions = {
  ...issuerOptions,
  serviceAccounts: required(either(texts, callback)),
} satisfies OptionSchema<GoogleOptions>;

/**
 * Programs with a service account of Google Cloud. They call with an ID token whose audience they choose, here the
 * resource. The access tokens of people are for Google only; people need another issuer, or a proxy in front of Google.
 *
 * Such a token has no scopes: give them with `moreScopes`.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @example
 * issuers: [google({ serviceAccounts: ['jobs@shop.iam.gserviceaccount.com'], moreScopes: () => ['pages:read'] })]
 */
export function google(given: GoogleOptions): IssuerPreset {
  const options = parseOptions('google', googleOptions, given);
  const { serviceAccounts } = options;
  const mayCall = (email: string) =>
    typeof serviceAccounts === 'function' ? serviceAccounts(email) === true : serviceAccounts.includes(email);
  return {
    issuer: 'https://accounts.google.com',
    ...givenParts(options),
    isAccessToken: (claims) => {
      const email = textIn(claims, 'email') ?? '';
      return email.endsWith('gserviceaccount.com') && claims['email_verified'] === true && mayCall(email);
    },
    principal: (claims) =>
      caller(
        claims,
        { subject: textIn(claims, 'sub'), clientId: textIn(claims, 'azp'), scopes: [] },
        options,
      ),
  };
}
