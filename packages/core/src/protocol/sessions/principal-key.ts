import type { Principal } from '../../base/request-context.js';

/** One string per caller, to bind sessions and sealed state to. JSON keeps `a|b` + `c` and `a` + `b|c` apart. */
export function principalKey(principal: Principal | undefined): string {
  if (!principal) return '';
  return JSON.stringify([principal.issuer ?? '', principal.subject, principal.clientId ?? '']);
}
