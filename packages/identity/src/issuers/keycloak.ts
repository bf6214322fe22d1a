import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { IssuerPreset } from './issuer-preset.js';
import { caller, membersOf, textIn, wordsIn } from './claims.js';
import { givenParts, issuerOptions, type IssuerOptions, texts } from './issuer-options.js';

export interface KeycloakOptions extends IssuerOptions {
  /** The URL of Keycloak, such as `https://login.example.com`, with the path that it may have, such as `/auth`. */
  readonly url: string;
  readonly realm: string;
  /** Also takes the roles of the realm as scopes. Default false. */
  readonly realmRoles?: boolean;
  /** Also takes the roles of these clients as scopes. Default: none. */
  readonly clientRoles?: readonly string[];
  /** Lets this Keycloak be reached over plain http, inside of a cluster. Default false. */
  readonly plainHttp?: boolean;
}

const { filledText, flag, required } = optionRules;

const keycloakOptions = {
  ...issuerOptions,
  url: required(filledText),
  realm: required(filledText),
  realmRoles: { ...flag, default: false },
  clientRoles: { ...texts, default: [] },
  plainHttp: { ...flag, default: false },
} satisfies OptionSchema<KeycloakOptions>;

/**
 * Access tokens of Keycloak. It names no audience by itself: add an audience mapper for your resource to a client scope.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @example
 * issuers: [keycloak({ url: 'https://login.example.com', realm: 'shop' })]
 */
export function keycloak(given: KeycloakOptions): IssuerPreset {
  const options = parseOptions('keycloak', keycloakOptions, given);
  const { url, realm, realmRoles, clientRoles, plainHttp } = options;
  return {
    issuer: `${url.replace(/\/+$/, '')}/realms/${encodeURIComponent(realm)}`,
    plainHttp,
    ...givenParts(options),
    isAccessToken: ({ typ }) => typ === 'Bearer' || typ === 'DPoP',
    principal: (claims) => {
      const ofRealm = realmRoles ? wordsIn(membersOf(claims['realm_access'])['roles']) : [];
      const access = membersOf(claims['resource_access']);
      const ofClients = clientRoles.flatMap((client) => wordsIn(membersOf(access[client])['roles']));
      const scopes = [...wordsIn(claims['scope']), ...ofRealm, ...ofClients];
      return caller(
        claims,
        { subject: textIn(claims, 'sub'), clientId: textIn(claims, 'azp'), scopes },
        options,
      );
    },
  };
}
