import { randomBytes } from 'node:crypto';
import { Seal } from '@toolwright/core/extend';
import type { Clock, RecordStore } from '@toolwright/core/ports';
import type { SealedRoom } from '../subjects/sealed-room.js';
import { isSame, type Person } from './approval-records.js';

/** Somebody who may approve has named somebody else, for a time. */
export interface Delegation {
  readonly from: Person;
  /** What to call `from` on a page. */
  readonly name: string;
  readonly to: Person;
  /** The scopes that `from` had. The delegate can use no others. */
  readonly scopes: readonly string[];
  readonly since: number;
  readonly until: number;
}

export interface KeptDelegation extends Delegation {
  readonly id: string;
}

const ROOM = 'approval-delegations';
const SEAL = 'approval delegation';

/** How many delegates one person has at a time. */
export const MOST_DELEGATES = 5;

/** Who may approve in place of whom, in all processes. There are few, so each look reads all of them. */
export class Delegations {
  readonly #seal: Seal;

  constructor(
    private readonly store: RecordStore,
    private readonly clock: Clock,
    secrets: readonly string[],
  ) {
    this.#seal = new Seal(secrets, SEAL);
  }

  /** The delegations that hold now, the oldest first. */
  async all(): Promise<KeptDelegation[]> {
    const found = await this.store.list(ROOM);
    return found
      .flatMap(([id, text]) => {
        const delegation = this.#seal.open(text, id) as Delegation | undefined;
        return delegation && delegation.until > this.clock.now() ? [{ ...delegation, id }] : [];
      })
      .sort((one, other) => one.since - other.since);
  }

  /** The delegations by which a person may approve for others. */
  async to(person: Person): Promise<KeptDelegation[]> {
    return (await this.all()).filter(({ to, from }) => isSame(to, person) && from.tenant === person.tenant);
  }

  /** The delegations that a person has made. */
  async from(person: Person): Promise<KeptDelegation[]> {
    return (await this.all()).filter(({ from }) => isSame(from, person) && from.tenant === person.tenant);
  }

  /**
   * Names a delegate, in place of what the same person has said of the same delegate before.
   *
   * @returns `undefined` when the person has too many delegates
   */
  async name(delegation: Delegation): Promise<KeptDelegation | undefined> {
    const own = await this.from(delegation.from);
    const earlier = own.filter(({ to }) => isSame(to, delegation.to));
    if (own.length - earlier.length >= MOST_DELEGATES) return undefined;
    const id = randomBytes(18).toString('base64url');
    const ttlMs = delegation.until - this.clock.now();
    await this.store.put(ROOM, id, this.#seal.seal(delegation, id), { was: undefined, ttlMs });
    for (const each of earlier) await this.store.delete(ROOM, each.id);
    return { ...delegation, id };
  }

  /** Ends what this person has made. @returns `undefined` when it was over, or is of somebody else */
  async end(id: string, person: Person): Promise<KeptDelegation | undefined> {
    const own = (await this.from(person)).find((each) => each.id === id);
    return own && (await this.store.delete(ROOM, id)) ? own : undefined;
  }
}

/** The delegations as operators find them, by both people. */
export const delegationRoom: SealedRoom<Delegation> = {
  kind: 'approval delegations',
  rooms: [ROOM],
  seal: SEAL,
  people: ({ from, to }) => [from, to],
  show: (delegation) => ({ ...delegation }),
};
