import type { ProviderVerdict } from '../../api/explain-api.js';

/** The client libraries of the table in docs/schemas.md, in its order. */
export const providers = [
  'LangChain',
  'AI SDK, OpenAI',
  'AI SDK, Google',
  'OpenAI Agents, strict',
  'Google GenAI',
  'Genkit, Google',
  'Mastra, OpenAI',
  'Mastra, Google',
] as const;

/** The constructs that a library may lose, as the table names them. A letter for each library: kept, weakened, lost. */
const table = {
  '`value: string \\| null`': 'wkkkklkk',
  '`value?: string \\| null`': 'wkklkllk',
  "`'urgent' \\| 'high' \\| … \\| null`": 'wkkkklkl',
  'an object \\| `null`': 'lkkwklkk',
  '`@minimum`, `@maximum`': 'kkwkkwww',
  '`@minLength`, `@maxLength`': 'kkwkkwww',
  '`@pattern`': 'kkwkkwww',
  '`@format`': 'kkkkkwww',
  '`Date`': 'kkkkkwww',
  "`value = 'weekly'`": 'kkwkkwkk',
  '`@minItems`, `@maxItems`': 'kkwkkwww',
  '`[string, number]`': 'wwwwwwww',
  '`Record<string, number>`': 'kkwwkwlw',
  'an object with `string \\| null`': 'wkkkkwkk',
  "`{ kind: 'circle', … } \\| { kind: 'square', … }` inside": 'lkkkklkk',
  '`string \\| number`': 'wkkkklkk',
  'a type that contains itself': 'wkwkklkw',
  'no other parameters (`additionalProperties: false`)': 'kkwkkwkw',
} as const;

export type Construct = keyof typeof table;

const words = { k: 'kept', w: 'weakened', l: 'lost' } as const;

/** What each library does with a construct. A test compares it with the guide, whose table is written by tests. */
export function verdictsOf(construct: Construct): ProviderVerdict[] {
  return [...table[construct]].map((letter) => words[letter as keyof typeof words]);
}

export const constructs = Object.keys(table) as readonly Construct[];
