export interface Contact {
  id: string;
  name: string;
  /** @format email */
  email: string;
  since: Date;
}

/** Keeps contacts in memory. */
export class ContactStore {
  readonly #contacts: Contact[] = [];

  add(contact: Omit<Contact, 'id'>): Contact {
    const added = { ...contact, id: String(this.#contacts.length + 1) };
    this.#contacts.push(added);
    return added;
  }

  find(words: string, limit: number): Contact[] {
    return this.#contacts.filter(({ name }) => name.includes(words)).slice(0, limit);
  }
}
