import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { inspectProject, type InspectedEntry } from '../src/index.js';

const ROOT = join(__dirname, 'fixtures');
const UPDATE = process.env.UPDATE_FIXTURES === '1';

/** Values each schema must take and refuse, by method and direction. */
type Samples = Record<
  string,
  Partial<Record<'input' | 'output', { valid?: unknown[]; invalid?: unknown[] }>>
>;

const cases = readdirSync(ROOT, { withFileTypes: true })
  .filter((item) => item.isDirectory())
  .map(({ name }) => name);

let entries: InspectedEntry[];
const ajv = makeAjv();

beforeAll(async () => {
  entries = await inspectProject({ project: join(ROOT, 'tsconfig.json') });
});

describe.each(cases)('%s', (name) => {
  const own = () => entries.filter(({ key }) => key.startsWith(`${name}/`));

  test('compiles to the expected schemas and diagnostics', () => {
    const file = join(ROOT, name, 'expected.json');
    const actual = Object.fromEntries(own().map((entry) => [methodOf(entry), summarise(entry, name)]));
    if (UPDATE) writeFileSync(file, `${JSON.stringify(actual, null, 2)}\n`);
    expect(actual).toEqual(readJson(file));
  });

  test('gives schemas that are valid 2020-12', () => {
    for (const { key, input, output } of own()) {
      for (const schema of output ? [input, output] : [input]) {
        expect([key, ajv.validateSchema(schema), ajv.errors]).toEqual([key, true, null]);
      }
    }
  });

  const samplesFile = join(ROOT, name, 'samples.json');
  if (!existsSync(samplesFile)) return;
  const samples = readJson(samplesFile) as Samples;
  const rows = Object.entries(samples).flatMap(([method, sides]) =>
    (['input', 'output'] as const).flatMap((side) => (sides[side] ? [{ method, side, ...sides[side] }] : [])),
  );

  test.each(rows)('$method decides on samples of its $side', ({ method, side, valid = [], invalid = [] }) => {
    const entry = own().find((each) => methodOf(each) === method);
    const validate = ajv.compile(entry?.[side] ?? false);
    const decisions = (values: unknown[]) => values.map((value) => [value, validate(value)]);
    expect(decisions(valid)).toEqual(valid.map((value) => [value, true]));
    expect(decisions(invalid)).toEqual(invalid.map((value) => [value, false]));
  });
});

function makeAjv(): Ajv2020 {
  const made = new Ajv2020({ strict: false });
  addFormats.default(made);
  return made;
}

function methodOf({ key }: InspectedEntry): string {
  return key.slice(key.indexOf('#') + 1);
}

/** All cases are one project, so names that are there twice are only told where that is the case's subject. */
function summarise({ key: _key, diagnostics, ...entry }: InspectedEntry, name: string): object {
  const told = diagnostics
    .filter(({ code }) => code !== 'TW_SCHEMA_DUPLICATE_NAME' || name === 'duplicate-names')
    .map(({ code, severity, line, column, message }) => `${line}:${column} ${severity} ${code}: ${message}`);
  return { ...entry, diagnostics: told };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
