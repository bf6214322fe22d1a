import { lookup } from 'node:dns/promises';
import { cutText, readAddress } from '@toolwright/json';
import { networks } from '../adapters/networks.js';
import type { ProxySettings } from './proxy-options.js';

/**
 * Where a machine reaches its own network. oidc-provider judges an address when it has connected, by a longer list: it sends
 * no request, but whoever names the address learns from the time whether the port is open. So these are judged before.
 */
const INSIDE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '168.63.129.16/32',
  '::/127',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
];

const inside = networks(INSIDE, (each) => {
  throw new TypeError(`${each} is no network.`);
});

const LONGEST_URL = 200;

/**
 * Fetches what clients name that nobody knows: their metadata documents and their keys. It opens no connection to an address inside of a
 * network, and the log says what could not be fetched.
 */
export function fetchForStrangers({ fetch, logger }: Pick<ProxySettings, 'fetch' | 'logger'>) {
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    if (fetch) return fetch(url, init);
    const { hostname } = new URL(url);
    const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
    if (addresses.some(({ address }) => isInside(address)))
      throw new Error('The host leads to an address inside of a network.');
    // A redirect would lead to an address that nobody has judged.
    return globalThis.fetch(url, { ...init, redirect: init.redirect ?? 'error' });
  };
  return async (url: string, init: RequestInit): Promise<Response> => {
    const warn = (reason: object) =>
      logger?.warn(
        { url: cutText(url, LONGEST_URL, '…'), ...reason },
        'The metadata document of a client, or its keys, could not be fetched',
      );
    try {
      const response = await send(url, init);
      if (!response.ok) warn({ status: response.status });
      return response;
    } catch (err) {
      warn({ err });
      throw err;
    }
  };
}

function isInside(text: string): boolean {
  // An address of IPv4 within one of IPv6 is judged as the former.
  const address = readAddress(text);
  return address === undefined || inside(address);
}
