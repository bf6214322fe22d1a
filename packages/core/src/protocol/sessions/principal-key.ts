import type { Principal } from '../../base/request-context.js';

/**
 * A text that identifies a caller. Sessions and sealed states are bound to it. It is JSON, because JSON keeps
 * `a|b` + `c` and `a` + `b|c` apart.
 */
export function principalKey(principal: Principal | undefined): string {
  if (!principal) return '';
  return JSON.stringify([principal.issuer ?? '', principal.subject, principal.clientId ?? '']);
}
