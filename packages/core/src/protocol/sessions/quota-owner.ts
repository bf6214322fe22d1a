import { networkOf } from '../../call/limits/caller-key.js';
import type { Peer } from '../requests/response-channel.js';
import { principalKey } from './principal-key.js';

/** Who holds a place: a principal, or the address of an anonymous caller. */
export interface QuotaOwner {
  readonly anonymous: boolean;
  /** Tells holders of the same kind apart. */
  readonly key: string;
}

/**
 * Anonymous callers are told apart by what the transport vouches for: the address of the connection, or the one that a
 * trusted proxy forwards. Callers behind a proxy that nobody trusts have one address, and share what it may hold.
 */
export function quotaOwnerOf({ principal, ip }: Pick<Peer, 'principal' | 'ip'>): QuotaOwner {
  return principal
    ? { anonymous: false, key: principalKey(principal) }
    : { anonymous: true, key: ip === undefined ? '' : networkOf(ip) };
}
