import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonSchema, validatorFor } from '@toolwright/json';

/**
 * The official tests of JSON Schema, from https://github.com/json-schema-org/JSON-Schema-Test-Suite (MIT, see LICENSE beside
 * them). They are as there, except that the usual `$schema` is left out. These are not among them: `optional`, `format`
 * (formats are asserted here), `vocabulary`, and what refers to other documents (nothing is fetched).
 */
type Suite = Readonly<Record<string, readonly Group[]>>;
type Group = readonly [what: string, schema: JsonSchema | boolean, ...cases: readonly Case[]];
type Case = readonly [what: string, value: unknown, isValid: boolean];

const folder = join(__dirname, 'fixtures/json-schema-tests');
const dialects = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
};

/** How many verdicts are right, and what differs from the suite. */
function judgeAll(draft: keyof typeof dialects, source: 'caller' | 'method') {
  const suite = JSON.parse(readFileSync(join(folder, `${draft}.json`), 'utf8')) as Suite;
  const wrong: string[] = [];
  let right = 0;
  for (const [file, groups] of Object.entries(suite))
    for (const [what, rules, ...cases] of groups) {
      const schema = typeof rules === 'boolean' ? rules : { $schema: dialects[draft], ...rules };
      for (const [each, value, isValid] of cases) {
        const problems = validatorFor(schema, source)(value);
        if ((problems === undefined) === isValid) right++;
        else wrong.push(`${file}: ${what}: ${each}: ${JSON.stringify(problems ?? 'accepted')}`);
      }
    }
  return { right, wrong };
}

describe.each(['caller', 'method'] as const)('for values of a %s', (source) => {
  test('all official tests of draft 2020-12 have the right verdict', () => {
    expect(judgeAll('draft2020-12', source)).toEqual({ right: 1117, wrong: [] });
  });

  test('all official tests of draft 7 have the right verdict for schemas that name it', () => {
    expect(judgeAll('draft7', source)).toEqual({ right: 802, wrong: [] });
  });
});
