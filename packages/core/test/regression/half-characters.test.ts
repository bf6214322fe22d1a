import { bootForFile } from '../support/booted-sources.js';

const tools = bootForFile(`
import { McpService, McpTool } from '@toolwright/core';
import { IsByteLength } from 'class-validator';
export class Text { @IsByteLength(1, 5) text!: string }
@McpService() export class Tools { @McpTool() measure(a: Text): string { return a.text; } }`);

test.each([
  ['a', 'a'],
  ['\ud83d\ude00', '\ud83d\ude00'],
  ['\ud83d', 'Invalid arguments for measure:\n- arguments: expected values that can be checked'],
  ['a\ude00b', 'Invalid arguments for measure:\n- arguments: expected values that can be checked'],
])('half of a character is refused where class-validator throws for it: %j is %j', async (text, answer) => {
  const { result } = await tools.booted.wire.call('measure', { text });
  expect((result as { content: unknown }).content).toEqual([{ type: 'text', text: answer }]);
});
