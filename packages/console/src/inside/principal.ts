import type { Principal } from '@toolwright/core';
import type { Identity } from '../api/surface-api.js';

/** The principal that the console plays. */
export function principalOf({ subject, issuer, clientId, scopes, claims }: Identity): Principal {
  return {
    subject,
    scopes,
    ...(issuer !== undefined && { issuer }),
    ...(clientId !== undefined && { clientId }),
    ...(claims && { claims }),
  };
}
