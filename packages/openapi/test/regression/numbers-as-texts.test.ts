import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { planOperations } from '../../src/model/plan-operations';
import { readSpecification } from '../../src/read/read-specification';

const head = 'openapi: 3.0.3\ninfo: { title: Any, version: "1" }\n';

/** The plan of a document of YAML with one operation that has these parameters. */
async function planOf(parameters: string) {
  const folder = temporaryFolder();
  const file = join(folder, 'api.yaml');
  writeFileSync(file, `${head}paths: { /a: { get: { responses: {}, parameters: [${parameters}] } } }\n`);
  const plan = planOperations(await readSpecification(file));
  return plan;
}

test('values of a text that YAML reads as numbers only show what a value looks like', async () => {
  const { operations, notes } = await planOf(
    '{ name: v, in: query, schema: { type: string, enum: [1.0, 1.10, 2.0] } }',
  );
  expect(operations[0]!.arguments[0]!.schema).toEqual({ type: 'string', examples: ['1', '1.1', '2'] });
  expect(notes).toEqual([expect.stringContaining('Other texts are accepted, too')]);
});

test('values in quotes are all that is allowed', async () => {
  const { operations, notes } = await planOf(
    '{ name: v, in: query, schema: { type: string, enum: ["1.0", "1.10"] } }',
  );
  expect(operations[0]!.arguments[0]!.schema).toEqual({ enum: ['1.0', '1.10'] });
  expect(notes).toEqual([]);
});

test.each([
  '{ name: v, in: query, required: true, schema: { type: string, enum: [1.0] } }',
  '{ name: X-Api-Version, in: header, schema: { type: string, default: 1.0 } }',
])('no request has a number in the place of the text that was meant: %s', async (parameter) => {
  const { operations } = await planOf(parameter);
  expect(operations[0]!.constants).toEqual([]);
  expect(operations[0]!.arguments).toHaveLength(1);
});
