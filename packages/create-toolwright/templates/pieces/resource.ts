import { McpResource, McpService } from '@toolwright/core';

@McpService()
export class PieceNameResource {
  /** The state of the server, as text. (Say here what there is to read.) */
  @McpResource({ uri: 'app://piece-name', name: 'piece_name', mimeType: 'text/plain' })
  pieceName(): string {
    return 'All is well.';
  }
}
