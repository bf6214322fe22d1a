import type { TokenClaims } from '../issuers/issuer-preset.js';
import { ConnectedIssuer, describeFailure, type IssuerConnection } from '../issuers/connect-to-issuer.js';
import type { AskIssuer } from './introspector.js';

/** An issuer answers this for tokens that it can tell to be none of its opaque ones (RFC 7009, section 2.2.1). */
const NOT_ITS_OWN = 'unsupported_token_type';

/** Asks the introspection endpoint of an issuer. What goes wrong is said without the token and without the secret. */
export function introspectAt(connection: IssuerConnection): AskIssuer {
  const issuer = new ConnectedIssuer(connection);
  return async (token) => {
    try {
      const configuration = await issuer.configuration();
      if (configuration.serverMetadata().introspection_endpoint === undefined)
        throw new MissingEndpoint('Its metadata names no introspection_endpoint. Set "endpoint".');
      const { tokenIntrospection } = await import('openid-client');
      const answer = await tokenIntrospection(configuration, token, { token_type_hint: 'access_token' });
      return answer.active ? (answer as TokenClaims) : undefined;
    } catch (error) {
      if (error instanceof MissingEndpoint) throw error;
      const { reason, status } = describeFailure(error);
      if (reason === NOT_ITS_OWN) return undefined;
      const parts = [status !== undefined && `status ${status}`, reason ?? innermostCode(error)];
      // eslint-disable-next-line preserve-caught-error -- errors of the library hold what was sent
      throw new Error(`Its introspection endpoint failed: ${parts.filter(Boolean).join(', ')}.`);
    }
  };
}

/** Such as `ECONNREFUSED`. Libraries wrap it several times. */
function innermostCode(error: unknown): string {
  const { cause, code, name } = error as { cause?: unknown; code?: unknown; name: string };
  if (typeof (cause as Error | undefined)?.message === 'string') return innermostCode(cause);
  return typeof code === 'string' ? code : name;
}

class MissingEndpoint extends Error {}
