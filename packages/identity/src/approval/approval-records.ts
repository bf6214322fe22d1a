import { randomBytes } from 'node:crypto';
import { Seal, type ApproverRule } from '@toolwright/core/extend';
import type { Clock, RecordStore } from '@toolwright/core/ports';
import type { SealedRoom } from '../subjects/sealed-room.js';

/** Who somebody is, as far as approvals go. */
export interface Person {
  readonly issuer?: string;
  readonly subject: string;
  readonly clientId?: string;
  readonly tenant?: string;
}

/**
 * - `open`: nobody has decided
 * - `approved`: somebody said yes, and the call has not begun
 * - `used`: the call has begun; the approval is worth nothing any more
 * - `refused`: somebody said no
 * - `closed`: somebody closed the page without an answer
 * - `withdrawn`: the client or its person ended the question
 */
export type ApprovalStatus = 'open' | 'approved' | 'used' | 'refused' | 'closed' | 'withdrawn';

/** A question that a person answers on the page. */
export interface ApprovalRecord {
  readonly status: ApprovalStatus;
  /** What the approval is worth for: a digest of operation, caller, arguments and rule. */
  readonly binding: string;
  readonly operation: { readonly kind: string; readonly name: string; readonly title?: string };
  readonly message: string;
  readonly shown: Readonly<Record<string, unknown>>;
  readonly caller: Person;
  /** What the client calls itself. Nobody has checked it. */
  readonly client?: string;
  readonly rule: ApproverRule;
  readonly expires: number;
  /** Who approved or refused. */
  readonly by?: Person;
}

const ROOM = 'approvals';
const SEAL = 'approval';

/** How long a record outlives its question, so that the page can say how it ended. */
const AFTER_MS = 60_000;

/** The questions of all processes. They are sealed where they are kept. */
export class ApprovalRecords {
  readonly #seal: Seal;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(
    private readonly store: RecordStore,
    private readonly clock: Clock,
    secrets: readonly string[],
  ) {
    this.#seal = new Seal(secrets, SEAL);
  }

  /** @returns the id, which nobody can guess */
  async open(record: Omit<ApprovalRecord, 'status'>): Promise<string> {
    const id = randomBytes(18).toString('base64url');
    const text = this.#seal.seal({ ...record, status: 'open' } satisfies ApprovalRecord, id);
    if (await this.store.put(ROOM, id, text, { was: undefined, ttlMs: this.#ttl(record) })) return id;
    throw new Error('Two questions have the same random id.');
  }

  /** `undefined` for an unknown id, and for a question that is long over. */
  async find(id: string): Promise<ApprovalRecord | undefined> {
    return (await this.#read(id))?.record;
  }

  /**
   * Takes a question from one status to the next. Of two who try at the same time, one succeeds.
   *
   * @returns the changed record; `undefined` when the question has another status, or is over
   */
  async change(
    id: string,
    from: ApprovalStatus,
    change: Pick<ApprovalRecord, 'status'> & Partial<Pick<ApprovalRecord, 'by'>>,
  ): Promise<ApprovalRecord | undefined> {
    const found = await this.#read(id);
    if (!found || found.record.status !== from || found.record.expires <= this.clock.now()) return undefined;
    const changed = { ...found.record, ...change };
    const text = this.#seal.seal(changed, id);
    const isFirst = await this.store.put(ROOM, id, text, { was: found.text, ttlMs: this.#ttl(changed) });
    if (!isFirst) return undefined;
    this.#waiting.get(id)?.forEach((wake) => wake());
    return changed;
  }

  /** Calls `wake` when this process has changed the question. Other processes have to be asked. */
  watch(id: string, wake: () => void): () => void {
    const all = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, all.add(wake));
    return () => {
      all.delete(wake);
      if (all.size === 0) this.#waiting.delete(id);
    };
  }

  async #read(id: string): Promise<{ record: ApprovalRecord; text: string } | undefined> {
    const text = await this.store.get(ROOM, id);
    const record = text === undefined ? undefined : (this.#seal.open(text, id) as ApprovalRecord | undefined);
    return record && { record, text: text! };
  }

  #ttl({ expires }: Pick<ApprovalRecord, 'expires'>): number {
    return Math.max(0, expires - this.clock.now()) + AFTER_MS;
  }
}

/** The questions as operators find them by those who asked and those who answered. */
export const approvalRoom: SealedRoom<ApprovalRecord> = {
  kind: 'approvals',
  rooms: [ROOM],
  seal: SEAL,
  people: ({ caller, by }) => [caller, by],
  show: ({ status, operation, message, shown, caller, client, expires, by }) => ({
    ...{ status, operation, message, shown, caller, expires },
    ...(client !== undefined && { client }),
    ...(by && { by }),
  }),
};

export function isSame(one: Person, other: Person): boolean {
  return one.subject === other.subject && (one.issuer ?? '') === (other.issuer ?? '');
}

/** False only if they are certainly two people: without an issuer, nobody knows whose subject it is. */
export function mayBeSame(one: Person, other: Person): boolean {
  const isKnown = one.issuer !== undefined && other.issuer !== undefined;
  return one.subject === other.subject && (!isKnown || one.issuer === other.issuer);
}
