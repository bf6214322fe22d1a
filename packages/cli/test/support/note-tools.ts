/** A service with a tool for everybody, and one that needs a scope. */
export const noteTools = `import { McpService, McpTool, RequireScopes } from '@toolwright/core';

@McpService()
export class NoteTools {
  /** Count notes. Returns how many. */
  @McpTool({ name: 'count_notes', annotations: { readOnlyHint: true } })
  countNotes(): number {
    return 0;
  }

  /** Delete a note. */
  @McpTool({ name: 'delete_note', annotations: { destructiveHint: true } })
  @RequireScopes('notes:write')
  deleteNote(id: string): void {
    void id;
  }
}
`;
