import type { ElicitResult, McpServer, PromptResult, ResourceResult, ToolResult } from '@toolwright/core';
import type { Revision } from '@toolwright/core/transport';
import { expectTypeOf } from 'expect-type';
import {
  connect,
  type ConnectOptions,
  type Elicitation,
  type McpClient,
  type Subscription,
} from '../src/index.js';

/** Checked by `pnpm typecheck`. At run time this tests nothing. */
test('the public API has the types of its documentation', () => {
  expectTypeOf(connect).parameter(0).toEqualTypeOf<Pick<McpServer, 'protocol'>>();
  expectTypeOf(connect).returns.resolves.toEqualTypeOf<McpClient>();
  expectTypeOf<ConnectOptions['revision']>().toEqualTypeOf<Revision | undefined>();
  expectTypeOf<NonNullable<ConnectOptions['elicit']>>().parameter(0).toEqualTypeOf<Elicitation>();
  expectTypeOf<NonNullable<ConnectOptions['elicit']>>().returns.toEqualTypeOf<
    ElicitResult | Promise<ElicitResult>
  >();

  expectTypeOf<McpClient['call']>().returns.resolves.toEqualTypeOf<ToolResult>();
  expectTypeOf<McpClient['read']>().returns.resolves.toEqualTypeOf<ResourceResult>();
  expectTypeOf<McpClient['get']>().returns.resolves.toEqualTypeOf<PromptResult>();
  expectTypeOf<McpClient['listen']>().returns.resolves.toEqualTypeOf<Subscription>();
  // Arguments of prompts are strings. Arguments of tools are any JSON.
  expectTypeOf<McpClient['get']>().parameter(1).toEqualTypeOf<Record<string, string> | undefined>();
  expectTypeOf<McpClient['call']>().parameter(1).toEqualTypeOf<Record<string, unknown> | undefined>();
});
