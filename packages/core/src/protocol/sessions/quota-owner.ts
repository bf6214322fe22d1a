import { networkOf } from '../../call/operation/keys.js';
import type { Peer } from '../requests/response-channel.js';
import { principalKey } from './principal-key.js';

/** Who a quota belongs to: a principal, or the address of an anonymous caller. */
export interface QuotaOwner {
  readonly anonymous: boolean;
  /** Tells owners of the same kind apart. */
  readonly key: string;
}

/**
 * Finds the owner for a caller. The address of an anonymous caller is the one that the transport knows: the
 * address of the connection, or the one that a trusted proxy forwards. All callers behind a proxy that is not
 * trusted have the same address and share its quota.
 */
export function quotaOwnerOf({ principal, ip }: Pick<Peer, 'principal' | 'ip'>): QuotaOwner {
  return principal
    ? { anonymous: false, key: principalKey(principal) }
    : { anonymous: true, key: ip === undefined ? '' : networkOf(ip) };
}
