import { McpService, McpTool } from '@toolwright/core';

@McpService()
export class PieceNameTool {
  /**
   * Count the words of a text. Returns how many there are. (Say here what your tool does, and when to use it.)
   * @param text the text to look at
   */
  @McpTool({ name: 'piece_name', annotations: { readOnlyHint: true, openWorldHint: false } })
  pieceName(/** @maxLength 10000 */ text: string): { words: number } {
    return { words: text.split(/\s+/).filter(Boolean).length };
  }
}
