import { BlockList, isIPv6 } from 'node:net';

/**
 * Tells which addresses are in one of some networks.
 *
 * @param from addresses, and networks such as `10.0.0.0/8`
 * @param refuse is called for a text that is neither
 * @returns the check of an address as `readAddress` gives it
 */
export function networks(
  from: readonly string[],
  refuse: (text: string) => never,
): (address: string) => boolean {
  const list = new BlockList();
  for (const each of from) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(each) ?? [];
    try {
      if (bits === undefined) list.addAddress(address, familyOf(address));
      else list.addSubnet(address, Number(bits), familyOf(address));
    } catch {
      refuse(each);
    }
  }
  return (address) => list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
