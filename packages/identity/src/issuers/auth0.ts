import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { IssuerPreset } from './issuer-preset.js';
import { caller, textIn, wordsIn } from './claims.js';
import { givenParts, issuerOptions, type IssuerOptions } from './issuer-options.js';

export interface Auth0Options extends IssuerOptions {
  /** The host of your tenant, or your custom domain, such as `shop.eu.auth0.com`. */
  readonly domain: string;
  /**
   * Takes the `permissions` of RBAC in place of `scope`. They are everything that the person may do, also what the client
   * has not asked for. Default false.
   */
  readonly permissions?: boolean;
}

const { filledText, flag, required } = optionRules;

const auth0Options = {
  ...issuerOptions,
  domain: required(filledText),
  permissions: { ...flag, default: false },
} satisfies OptionSchema<Auth0Options>;

/**
 * Access tokens of Auth0. The identifier of your API there must be the `resource` of `oauthResourceServer`, or `audience`.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @example
 * issuers: [auth0({ domain: 'shop.eu.auth0.com' })]
 */
export function auth0(given: Auth0Options): IssuerPreset {
  const options = parseOptions('auth0', auth0Options, given);
  return {
    issuer: `https://${options.domain}/`,
    ...givenParts(options),
    // The profile of RFC 9068 has client_id; the profile of Auth0 has scope, permissions or gty.
    isAccessToken: (claims) =>
      ['scope', 'gty', 'client_id'].some((name) => textIn(claims, name) !== undefined) ||
      Array.isArray(claims['permissions']),
    principal: (claims) => {
      const scopes = wordsIn(claims[options.permissions ? 'permissions' : 'scope']);
      const clientId = textIn(claims, 'azp') ?? textIn(claims, 'client_id');
      return caller(claims, { subject: textIn(claims, 'sub'), clientId, scopes }, options);
    },
  };
}
