import { cutText, readUrl } from '@toolwright/json';
import type { KoaContextWithOIDC, errors as Errors } from 'oidc-provider';
import { keepOnly, readMetadata } from '../dev/client-metadata.js';
import type { ProxySettings } from './proxy-options.js';
import { isAllowedRedirect } from './redirect-patterns.js';

type Metadata = Record<string, unknown>;

/** What a client may say of itself. The proxy uses nothing else, so nothing else is kept of a registration. */
const USED = [
  'client_name',
  'client_uri',
  'redirect_uris',
  'application_type',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'jwks',
  'jwks_uri',
  'software_id',
  'software_version',
];

/** The grants of clients that the configuration does not name. */
const GRANTS = ['authorization_code', 'refresh_token'];

const MOST_ADDRESSES = 32;
const LONGEST_NAME = 200;
/** What a registration may take besides its name, in characters. Those of real clients take less than 1,000. */
const LONGEST_REGISTRATION = 8_000;

/**
 * Reads what a client says of itself. Real clients name grants that they never use, and scopes of other servers. What counts is what a client asks for at each
 * sign-in, so scopes of a registration bind it to nothing.
 */
export function readWithoutScopes(metadata: Metadata): void {
  delete metadata['scope'];
  readMetadata(metadata);
  keepOnly(metadata, 'grant_types', GRANTS);
}

/** An address for a person to read, in characters that a description may have (RFC 6749, section 5.2). */
function shownAddress(uri: unknown): string {
  const url = typeof uri === 'string' ? readUrl(uri) : undefined;
  return url === undefined ? 'what is no URL' : cutText(url.href, LONGEST_NAME, '...').replace(/["\\]/g, '');
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
        const address = shownAddress(uris[0]);
        logger?.warn(
          { address },
          'A client was not registered: the option "redirects" of openAuthorizationProxy lists none of its addresses',
        );
        // The text of oidc-provider compares the address with registered ones. The client is just registering.
        throw Object.assign(new InvalidRedirectUri(), {
          error_description: `this server sends nobody to ${address}: its option redirects does not list it`,
        });
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
