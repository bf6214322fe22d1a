import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Caller } from '../tenants/caller-of.js';

/** How long a link works, in seconds. */
const LIFE = 300;

/** Makes links to downloads, which say by themselves who may have what, and until when. */
export class DownloadLinks {
  readonly #key: Uint8Array;

  /** @param secret all replicas have the same */
  constructor(
    private readonly url: string,
    secret: string,
  ) {
    this.#key = new TextEncoder().encode(`downloads ${secret}`);
  }

  /** The address of the tickets of this caller's tenant. Whoever has it can read them, so it ends soon. */
  async make({ tenant, subject }: Caller): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const grant = await new SignJWT({ org: tenant })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(subject)
      .setAudience(this.url)
      .setJti(randomUUID())
      .setExpirationTime(now + LIFE)
      .sign(this.#key);
    return `${this.url}?${new URLSearchParams({ grant })}`;
  }

  /** Whose link it is; `undefined` for one that was not made here, or has ended. */
  async open(grant: string): Promise<Caller | undefined> {
    try {
      const { payload } = await jwtVerify(grant, this.#key, { audience: this.url, algorithms: ['HS256'] });
      return { tenant: String(payload['org']), subject: payload.sub! };
    } catch {
      return undefined;
    }
  }
}
