import {
  definePolicy,
  McpPrompt,
  McpTool,
  UseMiddleware,
  type BoundTool,
  type CompletionSource,
  type McpServer,
  type Middleware,
  type Principal,
  type PromptResult,
  type RequestContext,
  type ResourceResult,
  type ToolResult,
} from '@toolwright/core';
import { expectTypeOf } from 'expect-type';

/** A completion knows its caller, and its author can name the type of the request. */
export class OwnNames implements CompletionSource {
  complete(typed: string, _known: Readonly<Record<string, unknown>>, request: RequestContext): string[] {
    expectTypeOf(request.principal).toEqualTypeOf<Principal | undefined>();
    return [`${typed}${request.principal?.subject}`];
  }
}

/** Checked by `pnpm typecheck`. Nothing of this is called. */
export function attach(server: McpServer): void {
  server.use(
    async ({ operation }, next) => {
      expectTypeOf(operation).toEqualTypeOf<BoundTool>();
      const result = await next();
      expectTypeOf(result).toEqualTypeOf<ToolResult>();
      return { ...result, content: [...result.content, { type: 'text', text: operation.contract }] };
    },
    { appliesTo: ['tool'], when: ({ annotations }) => annotations.readOnlyHint === true },
  );
  server.use(
    async (_call, next) => {
      const result = await next();
      expectTypeOf(result).toEqualTypeOf<ToolResult | PromptResult>();
      return result;
    },
    { appliesTo: ['tool', 'prompt'] },
  );
  server.use(async (_call, next) => {
    const result = await next();
    expectTypeOf(result).toEqualTypeOf<ToolResult | PromptResult | ResourceResult>();
    if (result.content) expectTypeOf(result).toEqualTypeOf<ToolResult>();
    return result;
  });
  const forTools: Middleware<BoundTool> = (_call, next) => next();
  server.use(forTools);
  server.use(forTools, { appliesTo: ['tool'] });
}

export const Counted = definePolicy<{ unit: string }, 'tool'>('counted', {
  appliesTo: ['tool'],
  plan:
    ({ unit }, { inputSchema }) =>
    async (_call, next) => {
      const { content } = await next();
      return { content, structuredContent: { unit, length: content.length, inputSchema } };
    },
});

test('what middleware is attached to decides what its next() returns', () => {
  class Tools {
    @McpTool()
    @UseMiddleware<'tool'>(async (_call, next) => ({ ...(await next()), isError: false }))
    @Counted({ unit: 'blocks' })
    search(_query: string): void {}

    @McpPrompt()
    @UseMiddleware<'prompt'>(async (_call, next) => ({ messages: (await next()).messages.slice(0, 1) }))
    summarise(): string {
      return '';
    }
  }
  expect(Tools).toBeDefined();
});
