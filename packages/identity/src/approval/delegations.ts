import { randomBytes } from 'node:crypto';
import { digest, Seal } from '@toolwright/core/extend';
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

/** A delegation where it is kept. */
interface Placed {
  readonly place: string;
  /** What the store has: it is written only in place of this. */
  readonly text: string;
  readonly delegation: KeptDelegation;
}

const ROOM = 'approval-delegations';
const SEAL = 'approval delegation';

/** How many delegates one person has at a time. */
export const MOST_DELEGATES = 5;

/** A form with the same content within this time is the same form, sent again, such as by a double click. */
const AGAIN_MS = 60_000;

/** How often a place is looked for again that others have taken meanwhile. */
const MOST_TRIES = 20;

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
    return (await this.#placed()).map(({ delegation }) => delegation);
  }

  async #placed(): Promise<Placed[]> {
    const found = await this.store.list(ROOM);
    return found
      .flatMap(([place, text]) => {
        // One of an earlier release has its place for an id.
        const kept = this.#seal.open(text, place) as (Delegation & { id?: string }) | undefined;
        if (!kept || kept.until <= this.clock.now()) return [];
        return [{ place, text, delegation: { ...kept, id: kept.id ?? place } }];
      })
      .sort((one, other) => one.delegation.since - other.delegation.since);
  }

  async #placedOf(person: Person): Promise<Placed[]> {
    return (await this.#placed()).filter(
      ({ delegation: { from } }) => isSame(from, person) && from.tenant === person.tenant,
    );
  }

  /** The delegations by which a person may approve for others. */
  async to(person: Person): Promise<KeptDelegation[]> {
    return (await this.all()).filter(({ to, from }) => isSame(to, person) && from.tenant === person.tenant);
  }

  /** The delegations that a person has made. */
  async from(person: Person): Promise<KeptDelegation[]> {
    return (await this.#placedOf(person)).map(({ delegation }) => delegation);
  }

  /**
   * Names a delegate, in place of what the same person has said of the same delegate before. Each person has as many places as
   * they may have delegates, so forms that are sent at the same time cannot make more.
   *
   * @returns what holds now, and whether this has made it: one form that is sent several times makes one.
   *   `undefined` when the person has too many delegates
   */
  async name(delegation: Delegation): Promise<{ kept: KeptDelegation; isNew: boolean } | undefined> {
    const kept = { ...delegation, id: randomBytes(18).toString('base64url') };
    const ttlMs = delegation.until - this.clock.now();
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const own = await this.#placedOf(delegation.from);
      const earlier = own.find((each) => isSame(each.delegation.to, delegation.to));
      if (earlier && isRepeated(earlier.delegation, delegation))
        return { kept: earlier.delegation, isNew: false };
      if (!earlier && own.length >= MOST_DELEGATES) return undefined;
      const place = earlier?.place ?? freePlace(delegation.from, own);
      const text = this.#seal.seal(kept, place);
      const was = earlier?.text ?? (await this.#leftAt(place));
      if (await this.store.put(ROOM, place, text, { was, ttlMs })) return { kept, isNew: true };
    }
    throw new Error('The delegates of a person are changed all the time, so this one could not be kept.');
  }

  /** What is at a free place and holds no more: the clock of the store may be behind. */
  async #leftAt(place: string): Promise<string | undefined> {
    const text = await this.store.get(ROOM, place);
    const kept = text === undefined ? undefined : (this.#seal.open(text, place) as Delegation | undefined);
    return kept && kept.until > this.clock.now() ? undefined : text;
  }

  /** Ends what this person has made. @returns `undefined` when it was over, or is of somebody else */
  async end(id: string, person: Person): Promise<KeptDelegation | undefined> {
    const own = (await this.#placedOf(person)).find((each) => each.delegation.id === id);
    return own && (await this.store.delete(ROOM, own.place)) ? own.delegation : undefined;
  }
}

/** True for a form that is sent again. */
const isRepeated = (earlier: Delegation, { since, until, scopes }: Delegation) =>
  since - earlier.since < AGAIN_MS &&
  until - since === earlier.until - earlier.since &&
  scopes.join(' ') === earlier.scopes.join(' ');

/** A place of a person where nothing is. */
function freePlace({ issuer, subject, tenant }: Person, own: readonly Placed[]): string {
  const places = Array.from({ length: MOST_DELEGATES }, (_, at) =>
    digest(['approval delegation', issuer ?? null, subject, tenant ?? null, at]),
  );
  return places.find((place) => own.every((each) => each.place !== place))!;
}

/** The delegations as operators find them, by both people. */
export const delegationRoom: SealedRoom<Delegation> = {
  kind: 'approval delegations',
  rooms: [ROOM],
  seal: SEAL,
  people: ({ from, to }) => [from, to],
  show: (delegation) => ({ ...delegation }),
};
