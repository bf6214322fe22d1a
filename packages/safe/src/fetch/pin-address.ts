import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { quote, refusal } from '../errors/refusal.js';
import type { AddressPolicy } from './address-policy.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Looks up a host name. Default: the operating system does. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Returns the one address that a connection to the host may use. The name is looked up only once. A DNS
 * server that would give another address the second time (DNS rebinding) is not asked again.
 *
 * @throws ToolError `TW_SAFE_ADDRESS`; its text does not contain the address, because names inside a network
 *   are a secret
 */
export async function pinAddress(
  host: string,
  allows: AddressPolicy,
  resolve: Resolver,
): Promise<ResolvedAddress> {
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookUp(host, resolve);
  // One private address among public ones is no accident, so the host is refused.
  const refused = addresses.find(({ address }) => !allows(address));
  if (refused) {
    const cause = new Error(`${host} leads to ${refused.address}`);
    throw refusal('TW_SAFE_ADDRESS', `The host ${quote(host)} is not on the public internet.`, cause);
  }
  return addresses[0]!;
}

async function lookUp(host: string, resolve: Resolver): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw refusal('TW_SAFE_FETCH', `There is no host called ${quote(host)}.`, error);
  });
  if (addresses.length === 0) throw refusal('TW_SAFE_FETCH', `There is no host called ${quote(host)}.`);
  return addresses;
}
