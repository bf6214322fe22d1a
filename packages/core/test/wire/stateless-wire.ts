import type { McpServer } from '@toolwright/core';
import { Cancellation, type Peer } from '@toolwright/core/transport';

/** What came back over the wire, parsed. */
export interface WireAnswer {
  // Answers are read like JSON: whatever the test asks for.
  result?: any;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

const REVISION = '2026-07-28';

/** What `Mcp-Name` repeats. */
const nameIn = (method: string, { name, uri, taskId }: Record<string, unknown>) =>
  (method === 'resources/read' ? uri : (name ?? taskId)) as string | undefined;

const envelope = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** Speaks 2026-07-28 to a server as a transport would, without any. */
export class StatelessWire {
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
    const { protocol } = this.server;
    const mirrored = {
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      'mcp-name': nameIn(method, params),
    };
    const header = (name: string) => mirrored[name as keyof typeof mirrored];
    const reading = protocol.read(message, { peer: this.peer, header });
    if (reading.kind === 'refused') return JSON.parse(reading.reply.text) as WireAnswer;
    if (reading.kind !== 'stateless') throw new Error(`read as ${reading.kind}`);
    const exchange = { peer: this.peer, cancellation: new Cancellation(), send: () => undefined };
    const reply = await protocol.serveStateless(reading.message, exchange);
    return JSON.parse(reply!.text) as WireAnswer;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<WireAnswer> {
    return this.request('tools/call', { name, arguments: args });
  }
}
