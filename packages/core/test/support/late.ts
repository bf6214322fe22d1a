import { McpService, McpTool } from '@toolwright/core';
import { handMadeManifest } from '../packages/hand-made-manifest.js';

/** A service that is added to running servers. */
@McpService()
export class Late {
  static disposed = 0;
  @McpTool()
  late(text: string): string {
    return `late ${text}`;
  }
  onDispose() {
    Late.disposed++;
  }
}

export const lateManifest = handMadeManifest({
  file: 'src/tools.ts',
  name: 'Late',
  methods: { late: ['text'] },
});
