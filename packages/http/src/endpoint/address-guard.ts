import type { Exchange } from './exchange.js';

/** For how many different Host values the verdict is kept. */
const MAX_KEPT = 256;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface AddressPolicy {
  allowedHosts: readonly string[] | undefined;
  allowedOrigins: readonly string[];
}

/** Why a request is refused. */
export interface AddressFault {
  /** The text for the operator's records. */
  detail: 'remote' | 'host' | 'origin';
  /** The text for the caller. It names the option to change. */
  message: string;
}

const REMOTE: AddressFault = {
  detail: 'remote',
  message:
    'Only this machine may ask. List the names that others reach it by in the option "allowedHosts" of the MCP endpoint.',
};
const HOST: AddressFault = {
  detail: 'host',
  message: 'This Host is not allowed. List it in the option "allowedHosts" of the MCP endpoint to allow it.',
};
const TWO_HOSTS: AddressFault = {
  detail: 'host',
  message: 'A request has one Host (RFC 9112, section 3.2).',
};
const ORIGIN: AddressFault = {
  detail: 'origin',
  message:
    'This Origin is not allowed. List it in the option "allowedOrigins" of the MCP endpoint to allow it.',
};

/**
 * Passes only requests that address this server by one of its own names, and that no foreign page sent. A
 * page can point a name that it owns at 127.0.0.1 (DNS rebinding), but it cannot choose what the browser
 * sends as Host and Origin.
 *
 * Until names are listed, only this machine may send requests: a program that is not a browser can write
 * `localhost` into Host, and an application may listen on every address.
 */
export class AddressGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #verdicts = new Map<string, boolean>();
  readonly #isOpen: boolean;

  constructor({ allowedHosts, allowedOrigins }: AddressPolicy) {
    this.#isOpen = allowedHosts !== undefined;
    this.#hosts = allowedHosts ? new Set(allowedHosts.map((host) => host.toLowerCase())) : LOOPBACK;
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  }

  /** Why the request is refused; `undefined` when it may pass. */
  findFault(exchange: Pick<Exchange, 'address' | 'header' | 'repeatsHost'>): AddressFault | undefined {
    if (!this.#isOpen && !isLoopback(exchange.address)) return REMOTE;
    const host = exchange.header('host');
    const origin = exchange.header('origin');
    if (host === undefined || !this.#isHost(host)) return HOST;
    if (exchange.repeatsHost) return TWO_HOSTS;
    return origin === undefined || this.#isOwn(origin) || this.isListed(origin) ? undefined : ORIGIN;
  }

  /** True for origins that the operator has listed. Only pages of these may read answers. */
  isListed(origin: string): boolean {
    return this.#origins.has(origin.toLowerCase());
  }

  /** True for a page of an allowed host. It sends its Origin even to the server that it came from. */
  #isOwn(origin: string): boolean {
    const authority = /^https?:\/\/([^/?#@\s]+)$/i.exec(origin)?.[1];
    return authority !== undefined && this.#isHost(authority);
  }

  #isHost(authority: string): boolean {
    const kept = this.#verdicts.get(authority);
    if (kept !== undefined) return kept;
    const match = /^(\[[0-9a-f:.]+\]|[^:[\]/\s@]+)(?::\d{1,5})?$/i.exec(authority);
    const allowed =
      match !== null &&
      (this.#hosts.has(match[1]!.toLowerCase()) || this.#hosts.has(authority.toLowerCase()));
    if (this.#verdicts.size >= MAX_KEPT) this.#verdicts.clear();
    this.#verdicts.set(authority, allowed);
    return allowed;
  }
}

/**
 * True for 127.0.0.0/8, also in the form of a socket for both families, and for ::1. A socket without
 * addresses belongs to this machine. Over `mcpFetch`, the address may be unknown.
 */
function isLoopback(address: string | undefined): boolean {
  return address === undefined || address === '::1' || /^(?:::ffff:)?127\./i.test(address);
}
