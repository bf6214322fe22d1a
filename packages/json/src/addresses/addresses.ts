import { readUrl } from './read-url.js';

/** One of the four numbers of an IPv4 address, as an expression. */
export const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const V4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`);
/**
 * Proxies may write the port of the caller behind its address: `203.0.113.7:4001`, `[2001:db8::1]:443`. Sockets for both
 * families write `::ffff:` before an address of IPv4.
 */
const V4_WITHIN = new RegExp(`^(?:::ffff:)?(${BYTE}(?:\\.${BYTE}){3})(?::\\d{1,5})?$`, 'i');
const V6_IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/;
/** An IPv6 address may name an interface of this machine: `fe80::1%eth0`. */
const V6 = /^([\da-f:.]{2,45})(?:%.*)?$/i;

/** The first groups of addresses that hold one of IPv4: of sockets for both families, and of NAT64 (RFC 6052). */
const HOLDS_V4 = ['0:0:0:0:0:ffff:', '64:ff9b:0:0:0:0:'];

/**
 * The one form of an IP address, however it is written: with a port, in brackets, in capitals, with leading zeros, or an
 * address of IPv4 within one of IPv6. An address of IPv6 has eight groups in hexadecimal.
 *
 * @returns `undefined` for any other text
 * @example
 * readAddress('::ffff:cb00:7107') // '203.0.113.7'
 * readAddress('[2001:DB8::1]:443') // '2001:db8:0:0:0:0:0:1'
 */
export function readAddress(text: string): string | undefined {
  if (V4.test(text)) return text;
  const v4 = V4_WITHIN.exec(text)?.[1];
  if (v4 !== undefined) return v4;
  const v6 = V6.exec(V6_IN_BRACKETS.exec(text)?.[1] ?? text)?.[1];
  return v6 === undefined || readUrl(`http://[${v6}]`) === undefined ? undefined : groupsOf(v6);
}

function groupsOf(v6: string): string {
  // A URL has an address in its shortest form. At most one row of groups is left out.
  const [front = '', back] = new URL(`http://[${v6}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [front, back ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = back === undefined ? [] : Array<string>(8 - first!.length - last!.length).fill('0');
  const groups = [...first!, ...zeros, ...last!];
  if (!HOLDS_V4.includes(`${groups.slice(0, 6).join(':')}:`)) return groups.join(':');
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((two) => [two >> 8, two & 255])
    .join('.');
}

/**
 * What belongs to one host: its address, of IPv6 its whole /64, because counting single addresses would give it 2^64 quotas.
 *
 * @param text an address in any form; any other text stays as it is
 */
export function networkOf(text: string): string {
  const address = readAddress(text) ?? text;
  return address.includes(':') ? address.split(':', 4).join(':') : address;
}

/**
 * An address of IPv6 as URLs write it: in brackets, without its zone. A zone means something on one machine alone, and no URL
 * has one (RFC 9844).
 *
 * @example
 * inBrackets('fe80::1%eth0') // '[fe80::1]'
 */
export const inBrackets = (address: string): string => `[${address.replace(/%.*$/s, '')}]`;

/** Whether an address is one of this machine: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(text: string): boolean {
  const address = readAddress(text);
  return address !== undefined && (address.startsWith('127.') || address === '0:0:0:0:0:0:0:1');
}

/**
 * The names of this machine, as `Host` and the host names of URLs write them. A page can point any other name at this
 * machine.
 */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True if only programs of this machine answer at this URL. */
export const isLoopback = ({ hostname }: Pick<URL, 'hostname'>): boolean => LOOPBACK_HOSTS.has(hostname);

/**
 * True if nobody on the way can read or change what is sent to a URL: https, and http on this machine.
 *
 * @param plainHttp true to accept http everywhere
 */
export function isSecureUrl(value: unknown, plainHttp = false): boolean {
  if (typeof value !== 'string' && !(value instanceof URL)) return false;
  const url = readUrl(String(value));
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && (plainHttp || isLoopback(url)));
}

/** True for a `Host` that is a name of this machine, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOSTS.has(host.replace(/:\d{1,5}$/, '').toLowerCase());
}
