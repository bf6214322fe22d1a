import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { IssuerPreset, TokenClaims } from './issuer-preset.js';
import { caller, textIn, wordsIn } from './claims.js';
import { givenParts, issuerOptions, type IssuerOptions, texts } from './issuer-options.js';

export interface EntraIdOptions extends IssuerOptions {
  /** The id of your directory. `organizations` or `common` if people of several directories sign in: set `tenants` then. */
  readonly tenant: string;
  /** The application (client) id of your API. */
  readonly clientId: string;
  /** The directories whose people may call, by id, or a function that knows them. It goes with `organizations`. */
  readonly tenants?: readonly string[] | ((tenantId: string) => boolean);
  /**
   * The version of the access tokens that your API gets, as `accessTokenAcceptedVersion` in the manifest of the app says.
   * Default 2.
   */
  readonly version?: 1 | 2;
  /** The Application ID URI, which is the audience of tokens of version 1. Default `api://<clientId>`. */
  readonly appIdUri?: string;
  /** Also takes the app roles of a person as scopes. Those of a program are always taken. Default false. */
  readonly userRoles?: boolean;
  /** The host of the cloud. Default `https://login.microsoftonline.com`. */
  readonly authority?: string;
}

const { either, callback, filledText, flag, required } = optionRules;

const entraIdOptions = {
  ...issuerOptions,
  tenant: required(filledText),
  clientId: required(filledText),
  tenants: either(texts, callback),
  version: { expected: '1 or 2', accepts: (value) => value === 1 || value === 2, default: 2 },
  appIdUri: filledText,
  userRoles: { ...flag, default: false },
  authority: { ...filledText, default: 'https://login.microsoftonline.com' },
} satisfies OptionSchema<EntraIdOptions>;

const SHARED = ['common', 'organizations', 'consumers'];

/**
 * Access tokens of Microsoft Entra ID. People are known by `oid`, because `sub` differs from app to app. ID tokens have the
 * same audience, so a token must have the claims that only access tokens have. Set `scopePrefix` of `oauthResourceServer` to
 * the Application ID URI and a slash: clients ask for `api://…/read`, and tokens say `read`.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @throws {TypeError} when it is not clear whose people may call
 * @example
 * issuers: [entraId({ tenant: '8eaef023-…', clientId: '0d1b7e4c-…' })]
 */
export function entraId(given: EntraIdOptions): IssuerPreset {
  const options = parseOptions('entraId', entraIdOptions, given);
  const { tenant, clientId, tenants, version, authority, appIdUri = `api://${clientId}` } = options;
  if (SHARED.includes(tenant) !== (tenants !== undefined))
    throw new TypeError(
      `entraId: tenant is ${tenant}. Set "tenants" together with organizations or common, and only then: it says whose people may call.`,
    );
  const mayCall = (id: string) =>
    typeof tenants === 'function' ? tenants(id) === true : (tenants ?? [tenant]).includes(id);
  const issuersOf = (id: string): [v1: string, v2: string] => [
    `https://sts.windows.net/${id}/`,
    `${authority}/${id}/v2.0`,
  ];
  return {
    issuer: `${authority}/${tenant}/v2.0`,
    jwksUri: `${authority}/${tenant}/discovery/v2.0/keys`,
    audience: version === 1 ? [appIdUri, clientId] : clientId,
    ...givenParts(options),
    isIssuer: (iss, claims) => {
      const id = textIn(claims, 'tid');
      return id !== undefined && iss === issuersOf(id)[version - 1] && mayCall(id);
    },
    // One set has the keys of all tenants. Some of them are for the tokens of one tenant only.
    isKeyFor: ({ issuer }, claims) => {
      if (typeof issuer !== 'string') return true;
      const id = textIn(claims, 'tid') ?? '';
      return issuersOf(id).includes(issuer.replace('{tenantid}', id));
    },
    isAccessToken: (claims) => claims['ver'] === `${version}.0` && isAccessToken(claims, version),
    principal: (claims) => {
      const delegated = wordsIn(claims['scp']);
      const roles = delegated.length === 0 || options.userRoles ? wordsIn(claims['roles']) : [];
      const clientIdOfCaller = textIn(claims, version === 1 ? 'appid' : 'azp');
      const known = { subject: textIn(claims, 'oid'), clientId: clientIdOfCaller };
      return caller(claims, { ...known, scopes: [...delegated, ...roles] }, options);
    },
  };
}

/**
 * ID tokens can have `roles`, too. Only access tokens say which app has got them and how it has proven itself; and they have
 * permissions of one of the two kinds.
 */
function isAccessToken(claims: TokenClaims, version: 1 | 2): boolean {
  const [app, proof] = version === 1 ? ['appid', 'appidacr'] : ['azp', 'azpacr'];
  const hasPermission = wordsIn(claims['scp']).length > 0 || wordsIn(claims['roles']).length > 0;
  return hasPermission && textIn(claims, app!) !== undefined && claims[proof!] !== undefined;
}
