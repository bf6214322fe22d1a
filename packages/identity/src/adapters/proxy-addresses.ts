import type { IncomingMessage } from 'node:http';
import { readAddress } from '@toolwright/json';
import { networks } from './networks.js';

/**
 * Tells which requests come from a proxy.
 *
 * @param option that lists its addresses and networks, for the message
 * @throws {TypeError} for a text that is neither an address nor a network
 */
export function proxyAddresses(from: readonly string[], option: string): (req: IncomingMessage) => boolean {
  const has = networks(from, (each) => {
    throw new TypeError(`${option}: ${JSON.stringify(each)} is no address and no network.`);
  });
  return (req) => has(readAddress(req.socket?.remoteAddress ?? '') ?? '');
}
