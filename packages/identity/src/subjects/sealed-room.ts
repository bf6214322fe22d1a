import { Seal } from '@toolwright/core/extend';
import type { DataOwner, RecordStore, SubjectRecords } from '@toolwright/core/ports';

/** Who a record is about. */
interface Named {
  readonly issuer?: string | undefined;
  readonly subject: string;
  readonly tenant?: string | undefined;
}

/** One kind of sealed records that are about people. */
export interface SealedRoom<Content> {
  /** What it is in the export. */
  readonly kind: string;
  /** Where it is in the `RecordStore`. */
  readonly rooms: readonly string[];
  /** The purpose of the `Seal` that it is sealed with. Its context is the id. */
  readonly seal: string;
  /** Why nobody can say which tenant a record belongs to. Without it, `people` name their tenants. */
  readonly noTenants?: string;
  /** All people that the record is about. */
  people(content: Content): readonly (Named | undefined)[];
  /** What the person may see of it: no secret, and nobody else's data. */
  show(
    content: Content,
    at: { readonly id: string; readonly room: string },
  ): Readonly<Record<string, unknown>>;
  /** Further rooms that have something under the same id. It goes with the record. */
  readonly beside?: readonly string[];
}

/** The records of a room, by whom they are about. Each is opened, because nobody can see that from outside. */
export function recordsOfRoom<Content>(
  room: SealedRoom<Content>,
  store: RecordStore,
  secrets: readonly string[],
): SubjectRecords {
  const seal = new Seal(secrets, room.seal);
  /** `undefined` as the content: nobody could open it. */
  async function* search(owner: DataOwner) {
    for (const name of room.rooms)
      for await (const [id, text] of store.each?.(name) ?? (await store.list(name))) {
        const content = seal.open(text, id) as Content | undefined;
        if (content === undefined || room.people(content).some((person) => isAbout(person, owner)))
          yield { room: name, id, content };
      }
  }
  return {
    kind: room.kind,
    ...(room.noTenants !== undefined && { noTenants: room.noTenants }),
    async *find(owner) {
      for await (const found of search(owner))
        yield found.content === undefined ? undefined : room.show(found.content, found);
    },
    async erase(owner) {
      // Nothing is deleted from a room that is being read.
      const ids: { room: string; id: string }[] = [];
      for await (const { room: name, id, content } of search(owner))
        if (content !== undefined) ids.push({ room: name, id });
      let erased = 0;
      for (const { room: name, id } of ids) {
        if (await store.delete(name, id)) erased++;
        for (const beside of room.beside ?? []) await store.delete(beside, id);
      }
      return erased;
    },
  };
}

function isAbout(person: Named | undefined, owner: DataOwner): boolean {
  if (person === undefined) return false;
  if ('tenant' in owner) return person.tenant === owner.tenant;
  return person.subject === owner.subject && person.issuer === owner.issuer;
}
