import type { Principal } from './request-context.js';

/** Who a principal is, without what it may do. */
export type KnownPrincipal = Pick<Principal, 'issuer' | 'subject' | 'clientId'>;

/** The part of a principal that those may be told who watch calls and messages. */
export function knownPrincipal(principal: Principal | undefined): KnownPrincipal | undefined {
  if (!principal) return undefined;
  const { issuer, subject, clientId } = principal;
  return { subject, ...(issuer !== undefined && { issuer }), ...(clientId !== undefined && { clientId }) };
}
