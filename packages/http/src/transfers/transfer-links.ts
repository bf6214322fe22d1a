import { sealingSecrets } from '@toolwright/json';
import type { Principal } from '@toolwright/core';
import { type ExtensionHost, Seal, digest } from '@toolwright/core/extend';
import { randomUUID } from 'node:crypto';

export type TransferDirection = 'download' | 'upload';

/** An address at which a file can be fetched, or to which it can be sent. */
export interface TransferLink {
  readonly uri: string;
  /** How a program uses it. */
  readonly method: 'GET' | 'PUT';
  /** Until when it counts. */
  readonly expires: Date;
}

export interface LinkOptions {
  /**
   * Lets who has the link use it without a token, once. It is for people who open it in a browser, and for programs that have
   * no token. Default: only where the server does not know who calls.
   */
  withoutToken?: boolean;
}

/** What is sealed in a link. */
export interface Ticket {
  readonly id: string;
  readonly direction: TransferDirection;
  readonly until: number;
  readonly about: unknown;
  /** The digest of who got the link. */
  readonly owner: string;
  /** Who got the link, where no token says it again. */
  readonly holder?: Principal | undefined;
  /** Whether a token of the owner is needed. */
  readonly needsToken: boolean;
}

/** A link may be used a little longer by the clock of another process. */
const SKEW_MS = 600_000;
/** Longer paths are cut by proxies. */
const LONGEST = 4_096;

/** Makes and opens links. A link is sealed: nobody can make one, or change what it is about. */
export class TransferLinks {
  readonly #seal: Seal;

  constructor(
    private readonly host: Pick<ExtensionHost, 'clock' | 'secrets' | 'stores' | 'server'>,
    private readonly lifeMs: number,
  ) {
    this.#seal = new Seal(sealingSecrets(host), 'transfer of a file', { maxLength: LONGEST });
  }

  /** @throws {RangeError} when `about` is too long for an address */
  make(
    direction: TransferDirection,
    about: unknown,
    { principal, needsToken }: { principal: Principal | undefined; needsToken: boolean },
  ): { sealed: string; until: number } {
    const until = this.host.clock.now() + this.lifeMs;
    const ticket: Ticket = {
      id: randomUUID(),
      direction,
      until,
      about,
      owner: ownerOf(principal),
      needsToken,
      ...(!needsToken && principal && { holder: identityOf(principal) }),
    };
    const sealed = this.#seal.seal(ticket, this.host.server.info.name);
    if (sealed.length <= LONGEST) return { sealed, until };
    throw new RangeError('What a link is about is too long for an address. Pass an id of it.');
  }

  /** @returns why it does not count, for the audit log */
  open(sealed: string, direction: TransferDirection): Ticket | 'forged' | 'expired' {
    const ticket = this.#seal.open(sealed, this.host.server.info.name) as Ticket | undefined;
    if (ticket?.direction !== direction) return 'forged';
    return ticket.until > this.host.clock.now() ? ticket : 'expired';
  }

  /** True for the first one that uses a link. */
  async use({ id, until, owner }: Ticket): Promise<boolean> {
    const ttl = Math.max(0, until - this.host.clock.now()) + SKEW_MS;
    return this.host.stores.claims.claim(keyOf(id), ttl, {
      anonymous: owner === ownerOf(undefined),
      key: owner,
    });
  }

  /** A file that did not arrive may be sent again. */
  async giveBack({ id }: Ticket): Promise<void> {
    await this.host.stores.claims.release(keyOf(id));
  }
}

const keyOf = (id: string) => `transfer:${id}`;

/** A person is the same one through each of its clients. Another tenant, or another issuer, makes it another one. */
export function ownerOf(principal: Principal | undefined): string {
  if (!principal) return digest('nobody');
  const { issuer = '', subject = '', clientId = '', tenant = '' } = principal;
  return digest([issuer, subject || ['client', clientId], tenant]);
}

/** What `send` and `receive` learn of who got a link. Scopes may have been taken away since. */
function identityOf({ issuer, subject, clientId, tenant }: Principal): Principal {
  return { issuer, subject, clientId, tenant, scopes: [] } as Principal;
}
