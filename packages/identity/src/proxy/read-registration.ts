import { cutText } from '@toolwright/json';
import type { KoaContextWithOIDC, errors as Errors } from 'oidc-provider';
import { GRANTS, readMetadata } from '../dev/client-metadata.js';
import { isAllowedRedirect, type ProxySettings } from './proxy-options.js';

type Metadata = Record<string, unknown>;

/** What a client may say of itself. The proxy uses nothing else, so nothing else is kept of a registration. */
const USED = [
  ...['client_name', 'client_uri', 'redirect_uris', 'application_type', 'grant_types', 'response_types'],
  ...['token_endpoint_auth_method', 'jwks', 'jwks_uri', 'software_id', 'software_version'],
];

const MOST_ADDRESSES = 32;
const LONGEST_NAME = 200;
/** What a registration may take besides its name, in characters. Those of real clients take less than 1,000. */
const LONGEST_REGISTRATION = 8_000;

/**
 * Reads what a client says of itself. Real clients name scopes of other servers. What counts is what a client asks for at each
 * sign-in, so scopes of a registration bind it to nothing.
 */
export function readWithoutScopes(metadata: Metadata): void {
  delete metadata['scope'];
  readMetadata(metadata);
}

/** Refuses or completes the registration of a request, before the client exists. */
export function registrationReader(
  { InvalidRedirectUri, InvalidClientMetadata }: typeof Errors,
  { redirects, logger }: ProxySettings,
): (ctx: KoaContextWithOIDC) => void {
  return ({ oidc }) => {
    const said = (oidc.body ?? {}) as Metadata;
    const read = Object.fromEntries(
      USED.flatMap((name) => (name in said ? [[name, said[name]]] : [])),
    ) as Metadata;
    const { redirect_uris: uris } = read;
    if (Array.isArray(uris) && uris.length > 0) {
      const allowed = uris.filter((uri) => typeof uri === 'string' && isAllowedRedirect(uri, redirects));
      if (allowed.length === 0) {
        logger?.warn(
          {},
          'A client was not registered: the option "redirects" of openAuthorizationProxy lists none of its addresses',
        );
        throw new InvalidRedirectUri('this server does not send clients to that address');
      }
      read['redirect_uris'] = allowed.slice(0, MOST_ADDRESSES);
    }
    readWithoutScopes(read);
    const { client_name: name, grant_types: grants } = read;
    if (Array.isArray(grants) && !grants.every((grant) => GRANTS.includes(grant as string)))
      throw new InvalidClientMetadata('clients that register can use authorization_code and refresh_token');
    if (typeof name === 'string') read['client_name'] = cutText(name, LONGEST_NAME, '…');
    if (JSON.stringify(read).length > LONGEST_REGISTRATION)
      throw new InvalidClientMetadata('the registration is too long');
    Object.assign(oidc, { body: read });
  };
}
