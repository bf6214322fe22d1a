import { Seal } from '@toolwright/core/extend';
import type { DataSubject, RecordStore, SubjectRecords } from '@toolwright/core/ports';

/** Who a record is about. */
interface Named {
  readonly issuer?: string | undefined;
  readonly subject: string;
}

/** One kind of sealed records that are about people. */
export interface SealedRoom<Content> {
  /** What it is in the export. */
  readonly kind: string;
  /** Where it is in the `RecordStore`. */
  readonly rooms: readonly string[];
  /** The purpose of the `Seal` that it is sealed with. Its context is the id. */
  readonly seal: string;
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

interface Found<Content> {
  readonly room: string;
  readonly id: string;
  readonly content: Content;
}

/** The records of a room, by whom they are about. Each is opened, because nobody can see that from outside. */
export function recordsOfRoom<Content>(
  room: SealedRoom<Content>,
  store: RecordStore,
  secrets: readonly string[],
): SubjectRecords {
  const seal = new Seal(secrets, room.seal);
  const search = async (subject: DataSubject) => {
    const found: Found<Content>[] = [];
    let unreadable = 0;
    for (const name of room.rooms)
      for (const [id, text] of await store.list(name)) {
        const content = seal.open(text, id) as Content | undefined;
        if (content === undefined) unreadable++;
        else if (room.people(content).some((person) => isAbout(person, subject)))
          found.push({ room: name, id, content });
      }
    return { found, unreadable };
  };
  return {
    kind: room.kind,
    async find(subject) {
      const { found, unreadable } = await search(subject);
      return { records: found.map((each) => room.show(each.content, each)), unreadable };
    },
    async erase(subject) {
      const { found } = await search(subject);
      let erased = 0;
      for (const { room: name, id } of found) {
        if (await store.delete(name, id)) erased++;
        for (const beside of room.beside ?? []) await store.delete(beside, id);
      }
      return erased;
    },
  };
}

function isAbout(person: Named | undefined, { issuer, subject }: DataSubject): boolean {
  return person !== undefined && person.subject === subject && person.issuer === issuer;
}
