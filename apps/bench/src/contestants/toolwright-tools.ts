import type { McpServer } from '@toolwright/core';
import { forwarder } from './forward.js';
import type { Settings } from './settings.js';
import {
  CLOCK_URI,
  FORWARD_DESCRIPTION,
  FORWARD_TOOL,
  MEASURE_SCHEMA,
  TOUCH_DESCRIPTION,
  TOUCH_TOOL,
} from './work.js';

const annotations = { readOnlyHint: true, openWorldHint: false };

/** Adds the tools that need the running server, or another one. */
export function addFurtherTools(server: McpServer, { fanout, upstream }: Settings): void {
  if (fanout) {
    server.resources.add({
      uri: CLOCK_URI,
      name: 'clock',
      description: 'What time it is.',
      handler: () => new Date().toISOString(),
    });
    server.tools.add({
      name: TOUCH_TOOL,
      description: TOUCH_DESCRIPTION,
      annotations,
      inputSchema: { type: 'object', properties: {} },
      handler: () => {
        server.resourceUpdated(CLOCK_URI);
        return 'touched';
      },
    });
  }
  if (upstream) {
    const forward = forwarder(upstream);
    server.tools.add({
      name: FORWARD_TOOL,
      description: FORWARD_DESCRIPTION,
      annotations,
      inputSchema: MEASURE_SCHEMA,
      handler: (args) => forward(args),
    });
  }
}
