import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { quote, refusal } from '../errors/refusal.js';
import type { AddressPolicy } from './address-policy.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Looks a name up. Default: as the operating system does. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * The one address that a connection to the host may use. The name is looked up once and never again: a server whose
 * second answer is another address (DNS rebinding) is not asked for one.
 *
 * @throws ToolError `TW_SAFE_ADDRESS`; the text does not say which address, since names inside a network are a secret
 */
export async function pinAddress(
  host: string,
  allows: AddressPolicy,
  resolve: Resolver,
): Promise<ResolvedAddress> {
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookUp(host, resolve);
  // One private address among public ones is no accident.
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
