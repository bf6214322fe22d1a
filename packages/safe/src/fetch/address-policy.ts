import type ipaddr from 'ipaddr.js';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { quote, refusal } from '../errors/refusal.js';

/** Returns true when a connection to this address is allowed. */
type AddressPolicy = (address: string) => boolean;

/** Public addresses that belong to the cloud in which a machine runs, and not to the internet. */
const CLOUD_SERVICES = ['168.63.129.16'];

const GLOBAL_UNICAST = '2000::/3';
/** The well-known prefix of NAT64. The last 32 bits are the IPv4 address of the real target (RFC 6052). */
const NAT64 = '64:ff9b::/96';

/**
 * Allows public addresses, and those in the given ranges (CIDR). An address that is not known to be public is
 * refused.
 *
 * @throws RangeError for a text that is not a range
 */
export function addressPolicy(allowed: readonly string[] = []): AddressPolicy {
  const ranges = allowed.map(parseRange);
  return (text) => {
    // ipaddr.js also reads octal and short forms. Here, an address is in its plain form, or it is refused.
    if (isIP(text) === 0 || text.includes('%')) return false;
    const address = plainAddress(text);
    return (
      isPublic(address) || ranges.some((range) => address.kind() === range[0].kind() && address.match(range))
    );
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function parseRange(text: string): [Address, number] {
  try {
    return loadIpaddr().parseCIDR(text);
  } catch (error) {
    throw new RangeError(`"${text}" is not an address range such as "10.1.0.0/16".`, { cause: error });
  }
}

/** The IPv4 address inside a mapped or NAT64 address. Any other address is returned unchanged. */
function plainAddress(text: string): Address {
  const { IPv4, IPv6, parse } = loadIpaddr();
  const address = parse(text);
  if (address.kind() === 'ipv4') return address;
  const v6 = address as ipaddr.IPv6;
  if (v6.isIPv4MappedAddress()) return v6.toIPv4Address();
  return v6.match(IPv6.parseCIDR(NAT64)) ? new IPv4(v6.toByteArray().slice(12)) : v6;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return !CLOUD_SERVICES.includes(address.toString());
  const v6 = address as ipaddr.IPv6;
  return v6.match(loadIpaddr().IPv6.parseCIDR(GLOBAL_UNICAST)) && !isTunnel(v6);
}

/**
 * ISATAP puts an IPv4 address behind 0000:5efe or 0200:5efe. This address may belong to the local network
 * (RFC 5214).
 */
function isTunnel({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}

type IpAddr = typeof import('ipaddr.js');

let loaded: IpAddr | undefined;

/**
 * Loads ipaddr.js when the first address has to be checked, because a server that only opens files does not
 * need it. It uses `require`, because Jest cannot run the `import()` of a compiled package.
 */
function loadIpaddr(): IpAddr {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- lazily, see above
  return (loaded ??= require('ipaddr.js') as IpAddr);
}

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
  // One private address among public ones is not an accident, so the host is refused.
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
