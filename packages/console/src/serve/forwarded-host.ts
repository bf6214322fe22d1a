import { isLoopbackHost } from '@toolwright/json';
import type { RequestFacts } from './respond.js';

/** Addresses at which a program in a container hears what comes from outside of it. */
const EVERYWHERE = new Set(['0.0.0.0', '::', '[::]']);

/** How a console is reached through a forwarded port. */
export interface ForwardedHost {
  /** Where the console listens. */
  readonly address: string;
  /** The authority in the browser. Without a port it is any port of this machine. */
  readonly name: string;
}

/**
 * Reads what a person says about the way to the console: the authority in the address bar, or an address to listen on. In
 * the second case the browser comes by a name of its own machine.
 */
export function readForwardedHost(text: string): ForwardedHost {
  const isEverywhere = EVERYWHERE.has(text);
  return {
    address: isEverywhere ? text.replace(/[[\]]/g, '') : '127.0.0.1',
    name: isEverywhere ? 'localhost' : text,
  };
}

/** The origin in the address bar. A token is sent over https, unless it stays on the machine of the person. */
export function originOf({ name }: ForwardedHost, port: number): string {
  if (!isLoopbackHost(name)) return `https://${name}`;
  return `http://${/:\d+$/.test(name) ? name : `${name}:${port}`}`;
}

/**
 * What decides about a request, and the authority that its page must have. What forwards a port may write another Host:
 * then the browser has to say by Origin or Sec-Fetch-Site that the page is the console's. It says so to every page over
 * https. On the machine of the person, a name of loopback cannot be that of a foreign page, whatever the port.
 *
 * @param own the authority on which the console listens
 */
export function reachedBy(
  { method, headers, rawHeaders }: RequestFacts,
  own: string,
  forwarded: ForwardedHost | undefined,
): { readonly facts: RequestFacts; readonly host: string } {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const facts = { method, headers, rawHeaders };
  const isDirect = host === own && (origin === undefined || origin === `http://${own}`);
  if (!forwarded || isDirect) return { facts, host: own };
  const { name } = forwarded;
  if (isLoopbackHost(name)) return { facts, host: isLoopbackHost(host) ? host : own };
  const isSaid = host === name || origin !== undefined || site !== undefined;
  return isSaid
    ? { facts: { ...facts, headers: { ...headers, host: name } }, host: name }
    : { facts, host: own };
}
