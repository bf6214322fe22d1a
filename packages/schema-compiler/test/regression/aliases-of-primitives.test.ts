import { useEntries } from '../use-entries.js';

const SOURCE = `
import { McpService, McpTool, type integer } from '@toolwright/core';
import { type Far } from './far.js';
/** How wide. @example 80 */
export type Width = number
  | 'auto';
/** @minimum 1 */
export type UserId = number
  & { readonly __user?: true };
/** @minimum 1 @maximum 9 */
export type Slot = number; // a comment
/** @minLength 3 */ type Name = string /* another */;
/** @minimum 2 */ export type $Num = number;
/** @minimum 3 */ export type Größe = number
/** @maximum 5 */ type Five = integer;
/** @maximum 7 */ type Further = Far;
/** @sensitive */ type Flag = boolean;
/** @sensitive */ type Big = bigint;
enum Words { A = 'type integer = number;', B = 'b' }
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;
@McpService()
export class Tools {
  /** 1 */ @McpTool() width(it: Width): void {}
  /** 1 */ @McpTool() user(it: UserId): void {}
  /** 1 */ @McpTool() slots(it: Slot[]): void {}
  /** 1 */ @McpTool() names(it: Set<Name>): void {}
  /** 1 */ @McpTool() dollars(it: $Num[]): void {}
  /** 1 */ @McpTool() letters(it: Größe[]): void {}
  /** 1 */ @McpTool() fives(it: Five[]): void {}
  /** 1 */ @McpTool() further(it: Further | null): void {}
  /** 1 */ @McpTool() flags(it: Flag[]): void {}
  /** 1 */ @McpTool() bigs(it: Big[]): void {}
  /** 1 */ @McpTool() last(it: Last[]): void {}
  /** 1 */ @McpTool() deep(it: DeepPartial<{ n: Slot; i: integer; s: Name }>, more: string): void {}
  /** 1 */ @McpTool() whole(it: \`wifi\${integer}\`): void {}
  /** 1 */ @McpTool() part(it: \`slot-\${Slot}\`): void {}
  /** 1 */ @McpTool() named(it: \`n-\${Name}\`): void {}
  /** 1 */ @McpTool() keys(it: Record<\`wifi\${integer}\`, string>, more: string): void {}
  /** 1 */ @McpTool() own(it: other[]): void {}
  /** 1 */ @McpTool() words(it = 'type integer = number;', w = Words.A, /** So: type integer = number; */ x = ''): void {}
}
type other = integer;
/** @minimum 4 */ type Last = number`;

const entries = useEntries({
  'src/tools.ts': SOURCE,
  'src/far.ts': '/** @minimum 2 */ export type Far = number',
  'src/own.ts': `
import { McpService, McpTool } from '@toolwright/core';
type integer = number;
function integer(): integer[] { return []; }
@McpService()
export class Own {
  /** 1 */ @McpTool() beside(it: integer[]): number { return integer().length; }
}`,
});

test.each<[title: string, tool: string, schema: object]>([
  ['over two lines', 'width', { anyOf: [{ const: 'auto' }, { type: 'number' }] }],
  ['over two lines with a brand', 'user', { type: 'number', minimum: 1 }],
  ['before a comment', 'slots', { items: { type: 'number', minimum: 1, maximum: 9 } }],
  ['before a comment, in a set', 'names', { items: { type: 'string', minLength: 3 } }],
  ['with a dollar sign', 'dollars', { items: { minimum: 2 } }],
  ['with other letters', 'letters', { items: { minimum: 3 } }],
  ['of integer', 'fives', { items: { type: 'integer', maximum: 5 } }],
  ['of an alias in another file', 'further', { anyOf: [{ minimum: 2, maximum: 7 }, { type: 'null' }] }],
  ['of boolean', 'flags', { items: { type: 'boolean', writeOnly: true } }],
  ['of bigint', 'bigs', { items: { writeOnly: true } }],
  ['at the end of the file', 'last', { items: { minimum: 4 } }],
  [
    'in a conditional type',
    'deep',
    {
      properties: { n: { maximum: 9 }, i: { type: 'integer' }, s: { type: 'string', minLength: 3 } },
    },
  ],
  ['in a template', 'whole', { pattern: '^wifi-?\\d+$' }],
  ['of number in a template', 'part', { pattern: expect.stringMatching(/^\^slot-/) }],
  ['of string in a template', 'named', { pattern: expect.stringMatching(/^\^n-/) }],
  ['in the template of a key', 'keys', { patternProperties: { '^wifi-?\\d+$': { type: 'string' } } }],
  ['without a comment', 'own', { items: { type: 'integer' } }],
  ['called integer, beside a function of this name', 'beside', { items: { type: 'integer' } }],
])('an alias %s keeps what it says', (_title, tool, schema) => {
  const { input, diagnostics } = entries.get(tool)!;
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(input.properties!['it']).toMatchObject(schema);
});

test('texts that look like an alias are not changed', () => {
  expect(entries.get('words')!.input.properties).toMatchObject({
    it: { default: 'type integer = number;' },
    w: { enum: ['type integer = number;', 'b'], default: 'type integer = number;' },
    x: { description: 'So: type integer = number;' },
  });
});

test('the limit of a part of a text is named, because only the form of the text is checked', () => {
  const { diagnostics } = entries.get('part')!;
  expect(diagnostics).toMatchObject([{ code: 'TW_SCHEMA_LOST_TAG', file: 'src/tools.ts', line: 36 }]);
  expect(diagnostics[0]!.message).toContain('@minimum, @maximum of Slot');
});
