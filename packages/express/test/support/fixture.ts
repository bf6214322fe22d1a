import type {
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
  Catalogue,
  ProtocolHost,
  ProtocolOptions,
  RequestContext,
  ToolResult,
} from '@toolwright/core';
import { createProtocol, InputRequired, MemoryEventBus, systemClock } from '@toolwright/core';

type Args = Readonly<Record<string, unknown>>;

const text = (value: string): ToolResult => ({ content: [{ type: 'text', text: value }] });
const shared = { annotations: {}, policies: new Map(), contract: '' } as const;

/** A tool made by hand, without a pipeline. */
export function tool(
  name: string,
  run: (request: RequestContext, args: Args) => ToolResult | Promise<ToolResult | InputRequired>,
  rest: Partial<BoundTool> = {},
): BoundTool {
  const inputSchema = { type: 'object' };
  return { kind: 'tool', name, description: name, inputSchema, wrapOutput: false, ...shared, ...rest, run };
}

/** Runs a method that asks its client, as the pipeline does. */
export function asking(
  method: (request: RequestContext, args: Args) => Promise<ToolResult>,
): (request: RequestContext, args: Args) => Promise<ToolResult | InputRequired> {
  return async (request, args) => {
    try {
      const result = await method(request, args);
      return request.input.pending.size > 0 ? new InputRequired(request.input.pending) : result;
    } catch (error) {
      if (request.input.pending.size > 0) return new InputRequired(request.input.pending);
      throw error;
    }
  };
}
