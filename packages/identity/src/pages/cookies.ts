import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Seal } from '@toolwright/core/extend';

/** The longest cookie that is opened, in characters. Browsers keep 4,096. */
const LONGEST = 4_096;

/**
 * How many cookies of one kind a browser keeps at the same time. Each sign-in that is begun leaves one for some minutes, and any
 * page can have a browser begin many: with 40 of them, servers refuse every request of the browser, because its headers are too long.
 */
const MOST_OF_A_KIND = 8;

/** The name of one of several cookies. The whole id is in what it holds. */
export const nameOfOne = (kind: string, id: string): string => kind + id.slice(0, 12);

/**
 * Cookies that only a server with the same secrets can read or make. Pages of other sites cannot have them sent with a
 * form, and no script can read them.
 */
export class SealedCookies {
  readonly #seal: Seal;
  readonly #isSecure: boolean;
  readonly #path: string;

  /**
   * @param url the pages that read the cookies: those below its path
   * @param purpose cookies of one purpose cannot stand in for those of another
   */
  constructor({ pathname, protocol }: URL, secrets: readonly string[], purpose: string) {
    this.#seal = new Seal(secrets, purpose, { maxLength: LONGEST });
    this.#isSecure = protocol === 'https:';
    this.#path = pathname.replace(/\/$/, '') || '/';
  }

  /** What the cookie holds; `undefined` if there is none, or it was not made by this purpose and name. */
  read(req: IncomingMessage, name: string): unknown {
    const wanted = `${this.#nameOf(name)}=`;
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

  /**
   * The same for one of several cookies whose names begin alike. The oldest ones are cleared: browsers send them first (RFC 6265,
   * section 5.4).
   *
   * @param kind the beginning of their names
   */
  writeOneOf(res: ServerResponse, kind: string, cookie: { id: string; value: unknown; ms: number }): void {
    const [before = '', after = ''] = this.#nameOf(`${kind} `).split(' ');
    const names = (res.req.headers.cookie ?? '')
      .split(/; */)
      .map((pair) => pair.slice(0, Math.max(0, pair.indexOf('='))))
      .filter((name) => name.startsWith(before) && name.endsWith(after));
    const old = names.slice(0, Math.max(0, names.length - MOST_OF_A_KIND + 1));
    for (const name of old) this.clear(res, kind + name.slice(before.length, name.length - after.length));
    this.write(res, nameOfOne(kind, cookie.id), cookie.value, cookie.ms);
  }

  /** What was kept by `writeOneOf` of a person who comes back from an issuer: once, and in time. */
  take<Kept extends { readonly state: string; readonly expires: number }>(
    { req, res }: { req: IncomingMessage; res: ServerResponse },
    kind: string,
    { state, now }: { state: string; now: number },
  ): Kept | undefined {
    const name = nameOfOne(kind, state);
    const kept = this.read(req, name) as Kept | undefined;
    if (kept?.state !== state || kept.expires <= now) return undefined;
    this.clear(res, name);
    return kept;
  }

  clear(res: ServerResponse, name: string): void {
    this.#set(res, name, '', 0);
  }

  #set(res: ServerResponse, name: string, text: string, ms: number): void {
    // Lax: the browser comes back from the issuer with it. No form of another site brings it.
    const parts = [
      `${this.#nameOf(name)}=${text}`,
      `Path=${this.#isSecure ? '/' : this.#path}`,
      `Max-Age=${Math.floor(ms / 1_000)}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(this.#isSecure ? ['Secure'] : []),
    ];
    res.appendHeader('Set-Cookie', parts.join('; '));
  }

  /**
   * Browsers take a cookie with this prefix only from this host, over https and for all its paths. So no page of a sibling host,
   * or on plain http, can plant the session of somebody else. The name says which pages it belongs to, as the path cannot.
   */
  #nameOf(name: string): string {
    if (!this.#isSecure) return name;
    const pages = createHash('sha256').update(this.#path).digest('base64url').slice(0, 8);
    return `__Host-${name}_${pages}`;
  }
}
