import { inspect } from 'node:util';
import { connect } from '@toolwright/testing';
import { bootForFile } from '../support/booted-sources.js';
import { RecordingLogger } from '../support/recording-logger.js';

const TOOLS = `
import { type ToolContext, McpService, McpTool, Schema, Sensitive, ToolError } from '@toolwright/core';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { z } from 'zod';

const fail = ({ value }: { value: unknown }): never => { throw new TypeError('cannot read ' + value); };
const refuse = ({ value }: { value: unknown }): never => { throw new ToolError('no ' + value, { cause: new Error('not ' + value) }); };
export class Thrown { @Sensitive() @Transform(fail) @IsOptional() pin?: string }
export class Refused { @Sensitive() @Transform(refuse) @IsOptional() pin?: string }
interface Answer { /** @sensitive @minLength 9 */ secret: string; /** @maximum 5 */ n: number; at?: Date }

@McpService() export class Tools {
  @McpTool() thrown(a: Thrown): string { return 'x'; }
  @McpTool() refused(a: Refused): string { return 'x'; }
  @McpTool() converted(@Sensitive() @Schema(z.string().transform((value): string => { throw new TypeError('cannot read ' + value); })) pin: string): string { return pin; }
  @McpTool() cleans(@Sensitive() pin: string, ctx: ToolContext): string {
    ctx.onCleanup(() => { throw new TypeError('cannot close ' + pin, { cause: new Error('not ' + pin) }); });
    return 'x';
  }
  @McpTool() async one(ctx: ToolContext): Promise<string> {
    const { value } = await ctx.sample<Answer>('one', { messages: [], maxTokens: 9 });
    return String(value.n);
  }
  @McpTool() async many(ctx: ToolContext): Promise<string> {
    const { value } = await ctx.sample<Answer[]>('many', { messages: [], maxTokens: 9 });
    return String(value.length);
  }
}`;

const logger = new RecordingLogger();
const tools = bootForFile(TOOLS, { logger });

test.each(['thrown', 'refused', 'converted'])(
  'an error that the conversion of an argument throws in %s repeats no sensitive value',
  async (name) => {
    const { result } = await tools.booted.wire.call(name, { pin: 'canary-1' });
    expect(result).toMatchObject({ isError: true });
    expect(logger.lines.at(-1)).toMatchObject({ level: 'debug', fields: { operation: name } });
    expect(inspect([result, logger.lines], { depth: 9 })).not.toContain('canary');
  },
);

test.each([
  ['one', { secret: 'canary', n: 1 }, 'secret: expected at least 9 characters'],
  ['one', { secret: ['canary-12'], n: 1 }, 'secret: expected a string'],
  ['one', { secret: 'canary-12', n: 'canary-12' }, 'n: expected a number'],
  ['one', { secret: 'canary-12', n: 1, at: '2016-12-31T23:59:60Z' }, 'at: '],
  ['many', { value: [{ secret: 'canary', n: 1 }] }, '[0].secret: expected at least 9 characters'],
])(
  'a wrong answer of a model to %s is explained without its sensitive values',
  async (name, answer, said) => {
    const sample = () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: JSON.stringify(answer) },
    });
    const client = await connect(tools.booted.server, { sample } as never);
    const { content } = (await client.call(name, {})) as { content: { text: string }[] };
    expect(content[0]!.text).toContain(said);
    expect(content[0]!.text).not.toContain('canary');
  },
);

test('what the log has of a clean-up that fails repeats no sensitive value', async () => {
  const { result } = await tools.booted.wire.call('cleans', { pin: 'canary-1' });
  expect(result).not.toMatchObject({ isError: true });
  const message = 'A clean-up after a call failed';
  expect(logger.lines.at(-1)).toMatchObject({ message, fields: { operation: 'cleans' } });
  expect(inspect(logger.lines, { depth: 9 })).not.toContain('canary');
});
