import { logSafeText, knownPrincipal } from '../base/log.js';
import type { ClientDescription, Principal } from '../base/request-context.js';
import { networkOf } from '../call/operation/keys.js';
import type { QuotaOwner } from '../protocol/sessions/quota-owner.js';
import type { CallerIdentity } from './server-state.js';

/** The caller of a request. */
export function callerOf({
  principal,
  ip,
}: {
  principal: Principal | undefined;
  ip: string | undefined;
}): CallerIdentity {
  return knownPrincipal(principal) ?? (ip === undefined ? {} : { address: networkOf(ip) });
}

/** The caller that `callerKey` made this key of. */
export function callerOfLimit(key: string): CallerIdentity {
  if (key.startsWith('ip ')) return { address: key.slice('ip '.length) };
  if (!key.startsWith('[')) return {};
  const parts = JSON.parse(key) as string[];
  const [issuer, subject] = parts;
  return parts.length === 2 ? named([issuer, subject, '']) : named([parts[1], '', parts[2]]);
}

/** The caller that `principalKey` made this key of. */
export function callerOfKey(key: string): CallerIdentity {
  try {
    const parts: unknown = key === '' ? [] : JSON.parse(key);
    return Array.isArray(parts) ? named(parts.map(String)) : {};
  } catch {
    // Runs of schedules have an owner that is no principal, and a store may hold what others have written.
    return {};
  }
}

export function callerOfOwner({ anonymous, key }: QuotaOwner): CallerIdentity {
  if (!anonymous) return callerOfKey(key);
  return key === '' ? {} : { address: key };
}

/** The client as it calls itself. */
export function clientOf({ info }: ClientDescription): { client?: string } {
  return info ? { client: logSafeText(`${info.name} ${info.version}`) } : {};
}

function named([issuer = '', subject = '', clientId = '']: readonly (string | undefined)[]): CallerIdentity {
  return { ...(subject && { subject }), ...(issuer && { issuer }), ...(clientId && { clientId }) };
}
