import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * What one run of a console knows its person by. The token is in the address that is printed. It is exchanged for a
 * cookie at once. Browsers send cookies to all ports of a host, so the cookie belongs to a path that nobody can guess:
 * another program that listens on this machine, and is visited in the same browser, does not get it.
 */
export class RunSecrets {
  readonly token = randomBytes(24).toString('base64url');
  /** Where the page is, without a slash at its end. */
  readonly base = `/${randomBytes(12).toString('base64url')}`;
  readonly #value = randomBytes(24).toString('base64url');

  isToken(given: string): boolean {
    return isSame(given, this.token);
  }

  /** @param port makes the name unlike those of other runs on this machine */
  cookie(port: number): string {
    return `${nameFor(port)}=${this.#value}; HttpOnly; SameSite=Strict; Path=${this.base}`;
  }

  /** @param cookies the header of a request */
  isKnown(cookies: string | undefined, port: number): boolean {
    const wanted = `${nameFor(port)}=${this.#value}`;
    return (cookies ?? '').split(/;\s*/).some((each) => isSame(each, wanted));
  }
}

const nameFor = (port: number) => `toolwright-console-${port}`;

/** Takes the same time, wherever the texts differ. */
export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
