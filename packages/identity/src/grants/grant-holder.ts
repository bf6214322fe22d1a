import type { Principal } from '@toolwright/core';

/** Whose grant it is. The same subject of another issuer, or in another tenant, is somebody else. */
export interface GrantHolder {
  readonly issuer: string;
  readonly subject: string;
  readonly tenant?: string;
}

/** @returns `undefined` for a caller without an issuer: nobody could say later who that was */
export function holderOf(principal: Principal | undefined): GrantHolder | undefined {
  if (principal?.issuer === undefined) return undefined;
  const { issuer, subject, tenant } = principal;
  return { issuer, subject, ...(tenant !== undefined && { tenant }) };
}

export function isHolder(holder: GrantHolder, principal: Principal): boolean {
  const { issuer, subject, tenant } = principal;
  return holder.issuer === issuer && holder.subject === subject && holder.tenant === tenant;
}
