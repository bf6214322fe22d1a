import { McpPrompt, McpService } from '@toolwright/core';

@McpService()
export class PieceNamePrompt {
  /**
   * Explain something in a few words. (Say here what the person gets who chooses this prompt.)
   * @param topic what to explain
   */
  @McpPrompt({ name: 'piece_name' })
  pieceName(topic: string): string {
    return `Explain ${topic} in three sentences.`;
  }
}
