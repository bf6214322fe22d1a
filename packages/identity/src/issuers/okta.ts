import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { IssuerPreset } from './issuer-preset.js';
import { caller, textIn, wordsIn } from './claims.js';
import { givenParts, issuerOptions, type IssuerOptions } from './issuer-options.js';

export interface OktaOptions extends IssuerOptions {
  /** The host of your organization, such as `shop.okta.com`. */
  readonly domain: string;
  /** The id of the custom authorization server. Default `default`. Tokens of the organization itself are opaque. */
  readonly server?: string;
}

const { filledText, required } = optionRules;

const oktaOptions = {
  ...issuerOptions,
  domain: required(filledText),
  server: { ...filledText, default: 'default' },
} satisfies OptionSchema<OktaOptions>;

/**
 * Access tokens of a custom authorization server of Okta. People are known by `uid`, because `sub` is their login, which
 * another person may have later. The audience of the server `default` is `api://default`.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @example
 * issuers: [okta({ domain: 'shop.okta.com' })]
 */
export function okta(given: OktaOptions): IssuerPreset {
  const options = parseOptions('okta', oktaOptions, given);
  const { domain, server } = options;
  return {
    issuer: `https://${domain}/oauth2/${server}`,
    ...(server === 'default' && { audience: 'api://default' }),
    ...givenParts(options),
    isAccessToken: (claims) => textIn(claims, 'cid') !== undefined && Array.isArray(claims['scp']),
    principal: (claims) =>
      caller(
        claims,
        {
          subject: textIn(claims, 'uid') ?? textIn(claims, 'sub'),
          clientId: textIn(claims, 'cid'),
          scopes: wordsIn(claims['scp']),
        },
        options,
      ),
  };
}
