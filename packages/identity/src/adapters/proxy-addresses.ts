import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { readAddress } from '@toolwright/json';

/**
 * Tells which requests come from a proxy.
 *
 * @param option that lists its addresses and networks, for the message
 * @throws {TypeError} for a text that is neither an address nor a network
 */
export function proxyAddresses(from: readonly string[], option: string): (req: IncomingMessage) => boolean {
  const list = new BlockList();
  for (const each of from) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(each) ?? [];
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    try {
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(bits), family);
    } catch {
      throw new TypeError(`${option}: ${JSON.stringify(each)} is no address and no network.`);
    }
  }
  return (req) => {
    const address = readAddress(req.socket?.remoteAddress ?? '') ?? '';
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}
