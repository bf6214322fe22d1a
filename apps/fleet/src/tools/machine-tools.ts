import { Confirm, Inject, McpResource, McpServer, McpService, McpTool, RateLimit } from '@toolwright/core';
import { INSTANCE } from './identity-tools.js';

export const BELL = 'machine://bell';

/** What shows that the workers of one machine are one server. */
@McpService()
export class MachineTools {
  constructor(
    @Inject(INSTANCE) private readonly instance: string,
    private readonly server: McpServer,
  ) {}

  /** A bell. Clients that subscribe to it are told when it rings, whichever worker they are connected to. */
  @McpResource({ name: 'bell', uri: BELL, mimeType: 'text/plain' })
  @RateLimit(false)
  bell(): string {
    return 'A bell.';
  }

  /** Ring the bell. Returns the worker that did it. */
  @McpTool({ name: 'ring_bell', annotations: { destructiveHint: false, openWorldHint: false } })
  @RateLimit(false)
  ringBell(): string {
    this.server.resourceUpdated(BELL);
    return this.instance;
  }

  /** Remove the bell for good, after the user has agreed. It stays: this is an example. */
  @McpTool({ name: 'remove_bell', annotations: { destructiveHint: true, openWorldHint: false } })
  @RateLimit(false)
  @Confirm('Remove the bell?')
  removeBell(): string {
    return this.instance;
  }
}
