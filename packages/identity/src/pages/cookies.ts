import type { IncomingMessage, ServerResponse } from 'node:http';
import { Seal } from '@toolwright/core/extend';

/** The longest cookie that is opened, in characters. Browsers keep 4,096. */
const LONGEST = 4_096;

/**
 * Cookies that only a server with the same secrets can read or make. Pages of other sites cannot have them sent with a
 * form, and no script can read them.
 */
export class SealedCookies {
  readonly #seal: Seal;
  readonly #prefix: string;

  /**
   * @param url the pages that get the cookies: those below its path
   * @param purpose cookies of one purpose cannot stand in for those of another
   */
  constructor(
    private readonly url: URL,
    secrets: readonly string[],
    purpose: string,
  ) {
    this.#seal = new Seal(secrets, purpose, { maxLength: LONGEST });
    // Browsers take a cookie with this prefix only from https, so no page on plain http can plant one.
    this.#prefix = url.protocol === 'https:' ? '__Secure-' : '';
  }

  /** What the cookie holds; `undefined` if there is none, or it was not made by this purpose and name. */
  read(req: IncomingMessage, name: string): unknown {
    const wanted = `${this.#prefix}${name}=`;
    const found = (req.headers.cookie ?? '')
      .split(/; */)
      .filter((pair) => pair.startsWith(wanted))
      .map((pair) => this.#seal.open(pair.slice(wanted.length), name))
      .filter((value) => value !== undefined);
    return found[0];
  }

  /** @param ms how long the browser keeps it */
  write(res: ServerResponse, name: string, value: unknown, ms: number): void {
    this.#set(res, name, this.#seal.seal(value, name), ms);
  }

  clear(res: ServerResponse, name: string): void {
    this.#set(res, name, '', 0);
  }

  #set(res: ServerResponse, name: string, text: string, ms: number): void {
    const { pathname, protocol } = this.url;
    // Lax: the browser comes back from the issuer with it. No form of another site brings it.
    const parts = [
      `${this.#prefix}${name}=${text}`,
      `Path=${pathname.replace(/\/$/, '') || '/'}`,
      `Max-Age=${Math.floor(ms / 1_000)}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(protocol === 'https:' ? ['Secure'] : []),
    ];
    res.appendHeader('Set-Cookie', parts.join('; '));
  }
}
