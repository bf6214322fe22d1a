export interface Note {
  id: number;
  text: string;
}

/** Keeps notes in memory. They are lost when the server stops. */
export class NoteStore {
  private readonly notes: Note[] = [];

  static async open(_folder?: string): Promise<NoteStore> {
    return new NoteStore();
  }

  async find(query: string, limit: number): Promise<Note[]> {
    const word = query.toLowerCase();
    return this.notes
      .filter(({ text }) => text.toLowerCase().includes(word))
      .slice(-limit)
      .reverse();
  }

  async add(text: string): Promise<Note> {
    const note = { id: this.notes.length + 1, text };
    this.notes.push(note);
    return note;
  }
}
