import { Inject, McpService, McpTool, RateLimit, ToolContext } from '@toolwright/core';

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
}
