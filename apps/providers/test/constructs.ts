/** Arguments of a tool. */
export type Arguments = Record<string, unknown>;

/** A construct of a type, and what tells whether it is still there after a conversion. */
export interface Construct {
  /** Its row in the table. */
  label: string;
  /** The tool of `ConstructTools` that has it. */
  tool: string;
  /** Arguments that the tool takes: each has to stay expressible. */
  valid: Arguments[];
  /** Arguments that the tool refuses: a schema that still says why refuses them, too. */
  invalid?: Arguments[];
  /** The values of an enum, in their order. */
  order?: string[];
  /** What the model should know of the value that is taken when none is given. */
  default?: unknown;
  /** Texts that the model should read. */
  texts?: string[];
}

export const constructs: Construct[] = [
  {
    label: '`value?: string`',
    tool: 'optional',
    valid: [{}, { value: 'a' }],
    invalid: [{ value: 1 }],
  },
  {
    label: '`value: string \\| null`',
    tool: 'nullable',
    valid: [
      { name: 'a', value: null },
      { name: 'a', value: 'a' },
    ],
    invalid: [{ name: 'a' }, { name: 'a', value: 1 }],
  },
  {
    label: '`value?: string \\| null`',
    tool: 'optionalNullable',
    valid: [{ name: 'a' }, { name: 'a', value: null }, { name: 'a', value: 'a' }],
    invalid: [{ name: 'a', value: 1 }],
  },
  {
    label: "`'urgent' \\| 'high' \\| … \\| null`",
    tool: 'nullableEnumeration',
    valid: [
      { name: 'a', value: null },
      { name: 'a', value: 'low' },
    ],
    invalid: [{ name: 'a' }, { name: 'a', value: 'other' }],
  },
  {
    label: 'an object \\| `null`',
    tool: 'nullableObject',
    valid: [
      { name: 'a', value: null },
      { name: 'a', value: { street: 'b' } },
    ],
    invalid: [{ name: 'a' }, { name: 'a', value: { street: 1 } }],
  },
  {
    label: "`'urgent' \\| 'high' \\| …`, in its order",
    tool: 'enumeration',
    valid: [{ value: 'urgent' }, { value: 'low' }],
    invalid: [{ value: 'other' }],
    order: ['urgent', 'high', 'normal', 'low'],
  },
  { label: '`integer`', tool: 'integer', valid: [{ value: 3 }], invalid: [{ value: 3.5 }, { value: '3' }] },
  {
    label: '`@minimum`, `@maximum`',
    tool: 'numberBounds',
    valid: [{ value: 1 }, { value: 99.5 }],
    invalid: [{ value: 0 }, { value: 101 }],
  },
  {
    label: '`@minLength`, `@maxLength`',
    tool: 'stringLength',
    valid: [{ value: 'ab' }],
    invalid: [{ value: 'a' }, { value: 'abcdef' }],
  },
  { label: '`@pattern`', tool: 'pattern', valid: [{ value: 'AB-12' }], invalid: [{ value: 'ab' }] },
  { label: '`@format`', tool: 'format', valid: [{ value: 'a@example.com' }], invalid: [{ value: 'a' }] },
  {
    label: '`Date`',
    tool: 'date',
    valid: [{ value: '2026-01-31T12:00:00Z' }],
    invalid: [{ value: 'yesterday' }],
  },
  {
    label: "`value = 'weekly'`",
    tool: 'defaulted',
    valid: [{}, { value: 'daily' }],
    invalid: [{ value: 1 }],
    default: 'weekly',
  },
  {
    label: '`@minItems`, `@maxItems`',
    tool: 'listBounds',
    valid: [{ value: ['a'] }, { value: ['a', 'b'] }],
    invalid: [{ value: [] }, { value: ['a', 'b', 'c'] }, { value: [1] }],
  },
  {
    label: '`[string, number]`',
    tool: 'tuple',
    valid: [{ value: ['a', 1] }],
    invalid: [{ value: [1, 'a'] }, { value: ['a'] }, { value: ['a', 1, 2] }],
  },
  {
    label: '`Record<string, number>`',
    tool: 'record',
    valid: [{ value: {} }, { value: { any: 1, name: 2 } }],
    invalid: [{ value: { any: 'a' } }],
  },
  {
    label: 'an object in an object',
    tool: 'nested',
    valid: [
      { name: 'a', value: { street: 'b' } },
      { name: 'a', value: { street: 'b', city: 'c' } },
    ],
    invalid: [{ name: 'a', value: {} }, { name: 'a', value: { street: 1 } }, { name: 'a' }],
  },
  {
    label: 'an object with `string \\| null`',
    tool: 'nestedNullable',
    valid: [
      { name: 'a', value: { phone: null } },
      { name: 'a', value: { phone: 'b' } },
    ],
    invalid: [
      { name: 'a', value: {} },
      { name: 'a', value: { phone: 1 } },
    ],
  },
  {
    label: "`{ kind: 'circle', … } \\| { kind: 'square', … }` inside",
    tool: 'discriminatedUnion',
    valid: [
      { name: 'a', value: { kind: 'circle', radius: 1 } },
      { name: 'a', value: { kind: 'square', side: 1 } },
    ],
    invalid: [
      { name: 'a', value: { kind: 'other' } },
      { name: 'a', value: { kind: 'circle', side: 1 } },
    ],
  },
  {
    label: '`string \\| number`',
    tool: 'primitiveUnion',
    valid: [
      { name: 'a', value: 'a' },
      { name: 'a', value: 1 },
    ],
    invalid: [{ name: 'a', value: true }],
  },
  {
    label: 'a type that contains itself',
    tool: 'recursion',
    valid: [
      { name: 'a', value: { name: 'b', folders: [] } },
      { name: 'a', value: { name: 'b', folders: [{ name: 'c', folders: [{ name: 'd', folders: [] }] }] } },
    ],
    invalid: [{ name: 'a', value: { name: 'b', folders: [{ name: 1, folders: [] }] } }],
  },
  {
    label: 'descriptions on each level',
    tool: 'descriptions',
    valid: [{ name: 'a', value: { street: 'b' } }],
    texts: ['Explained on every level', 'at the parameter', 'Street and number'],
  },
  {
    label: 'no other parameters (`additionalProperties: false`)',
    tool: 'closed',
    valid: [{ value: 'a' }],
    invalid: [{ value: 'a', other: 1 }],
  },
];
