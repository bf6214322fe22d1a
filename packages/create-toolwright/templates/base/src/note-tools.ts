import { type integer, McpService, McpTool } from '@toolwright/core';
import { AddNoteDto } from './add-note.dto.js';
import { type Note, NoteStore } from './note-store.js';

/** Each decorated method is a tool. Its signature becomes the schema, and a model reads its comment. */
@McpService()
export class NoteTools {
  constructor(private readonly notes: NoteStore) {}

  /**
   * Find notes by a word of their text. Returns the newest first.
   * @param query word to look for
   * @param limit how many notes at most
   */
  @McpTool({ name: 'find_notes', annotations: { readOnlyHint: true, openWorldHint: false } })
  async findNotes(
    /** @minLength 2 @maxLength 100 */ query: string,
    /** @minimum 1 @maximum 50 */ limit: integer = 10,
  ): Promise<{ notes: Note[] }> {
    return { notes: await this.notes.find(query, limit) };
  }

  /** Add a note. Returns it with its id. */
  @McpTool({ name: 'add_note', annotations: { destructiveHint: false, openWorldHint: false } })
  async addNote({ text }: AddNoteDto): Promise<Note> {
    return this.notes.add(text);
  }
}
