import type { McpServer, Peer } from '@toolwright/core';
import { Cancellation, classify } from '@toolwright/core';

/** What came back over the wire, parsed. */
export interface WireAnswer {
  // Answers are read like JSON: whatever the test asks for.
  result?: any;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

const envelope = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** Speaks 2026-07-28 to a server as a transport would, without any. */
export class ModernWire {
  #id = 0;

  constructor(
    private readonly server: McpServer,
    private readonly peer: Peer = { principal: undefined, ip: undefined, transport: 'memory' },
    /** What the client says it can do. */
    private readonly capabilities: object = {},
  ) {}

  async request(method: string, params: Record<string, unknown> = {}): Promise<WireAnswer> {
    const id = ++this.#id;
    const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope(this.capabilities) } };
    const classified = classify(message, {});
    if (classified.kind !== 'modern') throw new Error(`classified as ${classified.kind}`);
    const exchange = { peer: this.peer, cancellation: new Cancellation(), send: () => undefined };
    const reply = await this.server.protocol.serveModern(classified.message, exchange);
    return JSON.parse(reply!.text) as WireAnswer;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<WireAnswer> {
    return this.request('tools/call', { name, arguments: args });
  }
}
