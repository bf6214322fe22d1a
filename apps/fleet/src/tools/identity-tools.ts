import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Inject, type integer, McpService, McpTool, RateLimit, ToolContext } from '@toolwright/core';

/** The token of the name of this replica. */
export const INSTANCE = Symbol('the name of this replica');

export interface Identity {
  /** The replica that answered. */
  instance: string;
  /** The caller, or "anonymous". */
  principal: string;
}

/** Who answers, and who asks. */
@McpService()
export class IdentityTools {
  constructor(@Inject(INSTANCE) private readonly instance: string) {}

  /** Say which replica answers, and as whom it knows the caller. */
  @McpTool({ annotations: { readOnlyHint: true, openWorldHint: false } })
  @RateLimit(false)
  whoami(ctx: ToolContext): Identity {
    return { instance: this.instance, principal: ctx.principal?.subject ?? 'anonymous' };
  }

  /**
   * Return the text that came.
   * @param text any text
   */
  @McpTool({ annotations: { readOnlyHint: true, openWorldHint: false } })
  @RateLimit(false)
  echo(text: string): string {
    return text;
  }

  /** Collect what is no longer needed, and say how many bytes of objects this replica has. */
  @McpTool({ name: 'heap_used', annotations: { readOnlyHint: true, openWorldHint: false } })
  heapUsed(): integer {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // Twice: what finalizers let go of is collected by the second.
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  }
}
