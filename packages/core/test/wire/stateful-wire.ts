import type { McpServer } from '@toolwright/core';
import type { Connection } from '@toolwright/core/transport';

/** Speaks 2025-11-25 to a server over a connection of its own, as a transport would. The handshake is message 1. */
export class StatefulWire<Said extends { id: number }> {
  /** What the server sent, parsed. */
  readonly said: Said[] = [];
  private readonly connection: Connection;

  constructor(server: McpServer) {
    const peer = { principal: undefined, ip: undefined, transport: 'memory' as const };
    this.connection = server.protocol.connect(peer, (text) => this.said.push(JSON.parse(text)));
    const clientInfo = { name: 'test', version: '1' };
    this.tell(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.connection.receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  tell(id: number, method: string, params: object): void {
    this.connection.receive({ jsonrpc: '2.0', id, method, params });
  }

  close(): void {
    this.connection.close();
  }
}
