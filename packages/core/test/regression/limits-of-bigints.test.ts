import { bootForFile } from '../support/booted-sources.js';
import { askServer } from '../support/describe-integers-in-stores.js';

const bounds = [
  '-1000',
  '-101',
  '-100',
  '-99',
  '-12',
  '-1',
  '0',
  '1',
  '7',
  '9',
  '10',
  '12',
  '99',
  '100',
  '101',
  '999',
  '1000',
  '12345678901234567890',
];
const limits: Record<string, string> = {
  from5: '@minimum 5',
  from10: '@minimum 10',
  from0: '@minimum 0',
  fromHalf: '@minimum 0.5',
  fromMinus100: '@minimum -100',
  above99: '@exclusiveMinimum 99',
  to10: '@maximum 10',
  to0: '@maximum 0',
  toMinus12: '@maximum -12',
  below100: '@exclusiveMaximum 100',
  to999: '@maximum 999',
  toHalf: '@maximum -0.5',
  within: '@minimum -99 @maximum 100',
  open: '@exclusiveMinimum 0 @exclusiveMaximum 100',
  third: '@multipleOf 3',
  evens: '@minimum 2 @multipleOf 2',
};

const tools = bootForFile(`
import { McpService, McpTool } from '@toolwright/core';
/** @maximum 5 */ type Small = bigint;
@McpService() export class Tools {
${Object.entries(limits)
  .map(([name, tags]) => `  @McpTool() ${name}(/** ${tags} */ b: bigint): string { return String(b); }`)
  .join('\n')}
  @McpTool() listed(b: Small[], by: Record<string, Small>, maybe: Small | null): string { return [b, Object.values(by), maybe].join(); }
}`);

/** Whether a value is within limits, by what the tags say. */
function isWithin(tags: string, value: bigint): boolean {
  return [...tags.matchAll(/@(\w+) (\S+)/g)].every(([, tag, written]) => {
    const limit = Number(written);
    if (tag === 'minimum') return value >= limit;
    if (tag === 'exclusiveMinimum') return value > limit;
    if (tag === 'maximum') return value <= limit;
    return tag === 'exclusiveMaximum' ? value < limit : value % BigInt(limit) === 0n;
  });
}

test.each(Object.entries(limits))(
  'the digits of a bigint as text keep its limits: %s %s',
  async (name, tags) => {
    for (const digits of bounds) {
      const isRight = isWithin(tags, BigInt(digits));
      const number = Number.isSafeInteger(Number(digits)) ? [Number(digits)] : [];
      // Texts are left out where no pattern can check them.
      const forms = isRight && tags.includes('multipleOf') ? number : [digits, ...number];
      for (const form of forms) {
        const { isError, text } = await call(name, { b: form });
        expect({ form, isError }).toEqual({ form, isError: !isRight });
        if (isRight) expect(text).toBe(String(BigInt(digits)));
      }
    }
  },
);

test.each([
  ['third', '9007199254740993'],
  ['evens', '18446744073709551618'],
  ['evens', '1e400'],
])('a multiple that no number holds is refused with what can be sent: %s %s', async (name, number) => {
  const text = await askServer(tools.booted.server, 'tools/call', { name, arguments: { b: `@${number}` } });
  expect(text).toContain(
    'This place takes no string. Send a number from -9007199254740991 to 9007199254740991.',
  );
  expect(text).not.toContain('as a string');
});

test.each([
  [{ b: ['6'], by: {}, maybe: null }],
  [{ b: [], by: { x: '6' }, maybe: null }],
  [{ b: [], by: {}, maybe: '6' }],
])('limits of an alias hold in lists, records and unions: %j', async (args) => {
  expect((await call('listed', args)).isError).toBe(true);
});

test('what is within the limits of an alias is taken', async () => {
  expect(await call('listed', { b: ['5', 4], by: { x: '-6' }, maybe: '3' })).toEqual({
    isError: false,
    text: '5,4,-6,3',
  });
});

async function call(name: string, args: object) {
  const { result } = await tools.booted.wire.call(name, { ...args });
  const { isError = false, content } = result as { isError?: boolean; content: { text: string }[] };
  return { isError, text: content[0]!.text };
}
