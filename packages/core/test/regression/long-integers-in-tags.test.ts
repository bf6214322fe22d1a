import { bootForFile } from '../support/booted-sources.js';

const LONG = '9007199254740993';

const held: Record<string, [parameter: string, published: object]> = {
  scalar: [`/** @default ${LONG} */ a?: bigint`, { default: LONG }],
  negative: [`/** @default -${LONG} */ a?: bigint`, { default: `-${LONG}` }],
  listed: [`/** @default [${LONG}, 1] */ a?: bigint[]`, { default: [LONG, 1] }],
  inside: [`/** @default {"id": ${LONG}} */ a?: { id: bigint }`, { default: { id: LONG } }],
  text: [`/** @default ${LONG} */ a?: string`, { default: LONG }],
  example: [`/** @example ${LONG} */ a: bigint`, { examples: [LONG] }],
  examples: [`/** @examples [${LONG}, 2] */ a: bigint`, { examples: [LONG, 2] }],
  extension: [`/** @x-row {"id": ${LONG}} */ a: number`, { 'x-row': { id: LONG } }],
  rounded: [`/** @default 0.1000000000000000055 */ a?: number`, { default: 0.1 }],
  exact: [`/** @default 9007199254740992 */ a?: number`, { default: 9007199254740992 }],
};
const tools = bootForFile(`
import { McpService, McpTool } from '@toolwright/core';
const show = (value: unknown) => JSON.stringify(value, (_, part) => typeof part === 'bigint' ? part + 'n' : part) ?? 'nothing';
@McpService() export class Tools {
${Object.entries(held)
  .map(([name, [parameter]]) => `  @McpTool() ${name}(x: number, ${parameter}): string { return show(a); }`)
  .join('\n')}
}`);

test.each(Object.entries(held))('integers of tags keep their digits: %s', (name, [, published]) => {
  expect(tools.booted.schemas.get(name)!.properties!.a).toMatchObject(published);
});

test.each([
  ['scalar', `"${LONG}n"`],
  ['negative', `"-${LONG}n"`],
  ['listed', `["${LONG}n","1n"]`],
  ['inside', `{"id":"${LONG}n"}`],
  ['text', `"${LONG}"`],
  ['exact', '9007199254740992'],
])('a default of a tag is the integer that its author wrote: %s', async (name, text) => {
  expect(await tools.call(name, { x: 1 })).toBe(text);
});
