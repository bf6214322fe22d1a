import type { CallerIdentity } from '@toolwright/core';

/** Who a caller is, in a few words. `undefined`: it is not shown. */
export function callerText(caller: CallerIdentity | undefined): string {
  if (!caller) return 'not shown';
  const { subject, issuer, clientId, address } = caller;
  const name = subject ?? clientId;
  if (name === undefined) return address === undefined ? 'anonymous' : `anonymous, ${address}`;
  return issuer === undefined ? name : `${name} (${issuer})`;
}
