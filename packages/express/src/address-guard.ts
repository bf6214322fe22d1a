import type { IncomingHttpHeaders } from 'node:http';

/** Different Host values whose verdict is kept. */
const MAX_KEPT = 256;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface AddressPolicy {
  allowedHosts: readonly string[] | undefined;
  allowedOrigins: readonly string[];
}

/**
 * Lets only requests through that address this server by a name of its own and that no foreign page sent: a page can
 * point a name it owns at 127.0.0.1 (DNS rebinding), but it cannot choose what the browser sends as Host and Origin.
 */
export class AddressGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #verdicts = new Map<string, boolean>();

  constructor({ allowedHosts, allowedOrigins }: AddressPolicy) {
    this.#hosts = allowedHosts ? new Set(allowedHosts.map((host) => host.toLowerCase())) : LOOPBACK;
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  }

  /** Why the request is refused, naming the option to change; undefined when it may pass. */
  findFault({ host, origin }: IncomingHttpHeaders): string | undefined {
    if (host === undefined || !this.#isHost(host)) {
      return 'This Host is not allowed. List it in the option "allowedHosts" of the MCP endpoint to allow it.';
    }
    if (origin !== undefined && !this.isOrigin(origin)) {
      return 'This Origin is not allowed. List it in the option "allowedOrigins" of the MCP endpoint to allow it.';
    }
    return undefined;
  }

  isOrigin(origin: string): boolean {
    if (this.#origins.has(origin.toLowerCase())) return true;
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
