import { useEntries } from '../use-entries.js';

const LONG = '9007199254740993';

const named: Record<string, string> = {
  number: `/** @default ${LONG} */ a?: number`,
  numbers: `/** @default [${LONG}] */ a?: number[]`,
  infinite: `/** @default 1e400 */ a?: number`,
  minimum: `/** @minimum ${LONG} */ a: number`,
  ofBigint: `/** @maximum ${LONG} */ a: bigint`,
  ofItems: `/** @items.maximum ${LONG} */ a: number[]`,
  schema: `/** @items {"maximum": ${LONG}} */ a: number[]`,
  contained: `/** @contains {"const": ${LONG}} */ a: number[]`,
  choice: `/** @enum [${LONG}, 1] */ a: number`,
  shown: `/** @examples [${LONG}] */ a: number`,
};

const entries = useEntries({
  'src/tools.ts': `
import { McpService, McpTool } from '@toolwright/core';
@McpService() export class Tools {
${Object.entries(named)
  .map(([name, parameter]) => `  @McpTool() ${name}(x: number, ${parameter}): void {}`)
  .join('\n')}
}`,
});

test.each(Object.keys(named))('an integer that a number does not hold is named: %s', (name) => {
  const { diagnostics } = entries.get(name)!;
  expect(diagnostics.map(({ code }) => code)).toEqual([
    expect.stringMatching(/LOST_RULE|DEFAULT|TAG_VALUE|TAG_TYPE/),
  ]);
});
