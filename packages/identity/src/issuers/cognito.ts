import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { IssuerPreset } from './issuer-preset.js';
import { caller, textIn, wordsIn } from './claims.js';
import { givenParts, issuerOptions, type IssuerOptions, texts } from './issuer-options.js';

export interface CognitoOptions extends IssuerOptions {
  readonly region: string;
  readonly userPoolId: string;
  /** The app clients whose tokens are accepted. Without resource binding, only they say what a token is for. */
  readonly clientIds: readonly string[];
  /** Also takes the groups of a person as scopes. Default false. */
  readonly groups?: boolean;
}

const { filledText, flag, required } = optionRules;

const cognitoOptions = {
  ...issuerOptions,
  region: required(filledText),
  userPoolId: required(filledText),
  clientIds: required(texts),
  groups: { ...flag, default: false },
} satisfies OptionSchema<CognitoOptions>;

/**
 * Access tokens of Amazon Cognito. They have no `aud`, unless the client has sent the resource. Set `scopePrefix` of
 * `oauthResourceServer` to the identifier of the resource server there and a slash.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @example
 * issuers: [cognito({ region: 'eu-west-1', userPoolId: 'eu-west-1_example', clientIds: ['4example23client'] })]
 */
export function cognito(given: CognitoOptions): IssuerPreset {
  const options = parseOptions('cognito', cognitoOptions, given);
  const { region, userPoolId, clientIds, groups } = options;
  return {
    issuer: `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`,
    clientIds,
    ...givenParts(options),
    // With an audience, nothing else looks at the client.
    isAccessToken: (claims) =>
      claims['token_use'] === 'access' && clientIds.includes(textIn(claims, 'client_id') ?? ''),
    principal: (claims) => {
      const scopes = [...wordsIn(claims['scope']), ...(groups ? wordsIn(claims['cognito:groups']) : [])];
      return caller(
        claims,
        { subject: textIn(claims, 'sub'), clientId: textIn(claims, 'client_id'), scopes },
        options,
      );
    },
  };
}
