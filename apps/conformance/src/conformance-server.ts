import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { Changes } from './changes.js';
import { Prompts } from './prompts.js';
import { Resources } from './resources.js';
import { CallTools } from './tools/call-tools.js';
import { ChangeTools } from './tools/change-tools.js';
import { ContentTools } from './tools/content-tools.js';
import { ElicitationTools } from './tools/elicitation-tools.js';
import { PlainTools } from './tools/plain-tools.js';
import { RoundTools } from './tools/round-tools.js';
import { TaskTools } from './tools/task-tools.js';

/**
 * The server that the official conformance suite is run against. Without the default limits: it asks a lot at once.
 *
 * @param options what a way to run it adds, such as a queue for its tasks, or a folder of skills where there are folders
 */
export async function createConformanceServer(options: Partial<ServerOptions> = {}): Promise<McpServer> {
  const changes = new Changes();
  return createMcpServer({
    name: 'toolwright-conformance',
    about: { title: 'Toolwright conformance fixture' },
    version: '1.0.0',
    instructions: 'A fixture for protocol tests; its tools do nothing useful.',
    // The suite calls the tool that is listed first without arguments.
    services: [
      ContentTools,
      CallTools,
      PlainTools,
      ElicitationTools,
      RoundTools,
      TaskTools,
      ChangeTools,
      Prompts,
      Resources,
    ],
    providers: [{ provide: Changes, useValue: changes }],
    rateLimit: false,
    concurrency: false,
    timeout: false,
    // Texts are compared character by character.
    output: { hidden: 'keep' },
    // `test_reconnection` takes longer, and its client has to come back.
    sessions: { pollAfter: 3000 },
    ...options,
    stores: [{ bus: changes.bus }, ...[options.stores ?? []].flat()],
  });
}
