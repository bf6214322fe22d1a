import { McpTool, Schema, type integer, type ToolContext } from '@toolwright/core';
import { type } from 'arktype';
import { z } from 'zod';

const page = z.object({ title: z.string(), due: z.iso.datetime().transform((text) => new Date(text)) });
type Page = z.infer<typeof page>;
const count = z.int();

/** Checked by `pnpm typecheck`. The class is never created, and its decorators only record. */
test('TypeScript compares a schema with the parameter that takes its output', () => {
  class Tools {
    @McpTool()
    whole(@Schema(page) _given: Page, _context: ToolContext): void {}

    @McpTool()
    wider(@Schema(page) _given: { title: unknown; due: Date | string }): void {}

    @McpTool()
    among(_name: string, @Schema(count) _limit: integer, @Schema(type('string')) _text?: string): void {}

    @McpTool()
    list(@Schema(z.array(z.string())) ..._names: string[]): void {}

    @McpTool({ inputSchema: page })
    option(_given: Page, _context: ToolContext): void {}

    @McpTool({ inputSchema: page })
    named(_title: string, _due: Date): void {}

    @McpTool()
    @Schema(page)
    onMethod(_given: Page): void {}

    @McpTool()
    // @ts-expect-error -- the schema returns a Date
    wrongProperty(@Schema(page) _given: { title: string; due: string }): void {}

    @McpTool()
    // @ts-expect-error -- the schema returns a number
    wrongType(_name: string, @Schema(count) _limit: string): void {}

    // @ts-expect-error -- no property of the output is a number
    @McpTool({ inputSchema: page })
    wrongOption(_given: number): void {}

    @McpTool()
    // @ts-expect-error -- the title is no number
    @Schema(page)
    wrongOnMethod(_given: { title: number }): void {}
  }

  // @ts-expect-error -- a decorated method of arguments takes a schema of a library only
  McpTool({ inputSchema: { type: 'object' } });

  // Standard decorators get the method and a context.
  const standard = (context: ClassMethodDecoratorContext) => {
    McpTool({ inputSchema: page })((_given: Page) => undefined, context);
    Schema(page)((_title: string, _due: Date) => undefined, context);
    // @ts-expect-error -- the schema returns another object
    McpTool({ inputSchema: page })((_given: { title: number }) => undefined, context);
  };
  expect([Tools, standard]).toHaveLength(2);
});
