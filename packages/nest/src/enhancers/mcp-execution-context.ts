import type { ArgumentsHost } from '@nestjs/common';
import type { BoundOperation, Call, ToolContext } from '@toolwright/core';

/** The name of the context: `context.getType() === 'mcp'`. */
export const MCP_CONTEXT = 'mcp';

/**
 * What guards, interceptors and exception filters may know about a call. `context.switchToHttp()` gives the
 * request and the response of the platform, as in a route; they are `undefined` over other transports.
 *
 * @example
 * const { operation, principal } = McpExecutionContext.create(context);
 */
export class McpExecutionContext {
  private constructor(private readonly call: Call) {}

  /** @throws {TypeError} when the context is not that of a call */
  static create(context: ArgumentsHost): McpExecutionContext {
    if (context.getType<string>() !== MCP_CONTEXT)
      throw new TypeError("This is not the context of an MCP call: check context.getType() === 'mcp' first.");
    return new McpExecutionContext(context.getArgByIndex<Call>(CALL_INDEX));
  }

  /** The tool, prompt or resource, with its name, annotations and policies. */
  get operation(): BoundOperation {
    return this.call.operation;
  }

  /** The arguments by name, checked and revived. */
  get arguments(): Readonly<Record<string, unknown>> {
    return this.call.arguments;
  }

  /** What the method itself gets as its `ToolContext`. */
  get toolContext(): ToolContext {
    return this.call.context;
  }

  /** The caller; `undefined` for an anonymous one. */
  get principal(): ToolContext['principal'] {
    return this.call.context.principal;
  }
}

/** Where the call is among the arguments. The request, the response and `next` come first, as in a route. */
const CALL_INDEX = 3;
