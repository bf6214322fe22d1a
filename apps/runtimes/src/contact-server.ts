import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { ContactStore } from './contact-store.js';
import { ContactTools } from './contact-tools.js';

/** @param options what a runtime adds, such as its manifest */
export function createContactServer(options: Partial<ServerOptions> = {}): Promise<McpServer> {
  return createMcpServer({
    name: 'contacts',
    version: '1.0.0',
    services: [ContactTools],
    providers: [ContactStore],
    rateLimit: false,
    ...options,
  });
}
