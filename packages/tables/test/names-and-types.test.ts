import fc from 'fast-check';
import { TableDatabase } from '../src';
import type { PlannedTable } from '../src/model/planned-table';
import { tableOf } from '../src/write/table-of';
import { writeFiles } from '../src/write/write-files';
import { runs } from '../../../.ci/test/support/proof.js';
import { TablesProject } from './support/compile-tables';
import { OpenedShop } from './support/opened-shop';

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** What people and strangers call things. PostgreSQL takes 63 bytes of it. */
const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom(
      ...'class default constructor __proto__ toString then await async rows where cursor limit key ctx this'.split(
        ' ',
      ),
      ...[
        'user',
        'Order Details',
        '*/',
        '${x}',
        '`',
        "it's",
        '"',
        '\\',
        '@sensitive',
        'a-b',
        'a_b',
        'aB',
        'A B',
        '1',
      ],
      ...[
        'ÅÄÖ',
        '価格',
        '😀',
        '\u200b',
        '\u202etxet',
        'x'.repeat(63),
        'Date',
        'Map',
        'ToolContext',
        'integer',
        '\n',
      ],
    ),
  )
  .map((text) => Buffer.from(text.replaceAll('\0', '')).subarray(0, 60).toString().replaceAll('\ufffd', ''))
  .filter((text) => text !== '' && !/^pg_/.test(text));

const TYPES: readonly [type: string, values: readonly string[]][] = [
  ['smallint', ['-32768', '7']],
  ['integer', ['2147483647']],
  ['bigint', ['9007199254740993', '-1']],
  ['numeric', ['123456789012345678901234567890.12345', '1e-7']],
  ['numeric(6,2)', ['1234.50']],
  ['real', ['0.1', 'NaN', 'infinity']],
  ['double precision', ['1e300', '0.1']],
  ['boolean', ['true', 'false']],
  ['text', ['', 'it\'s \\ "x"', '\u200b', '{a,b}', '😀']],
  ['character varying(5)', ['abcde']],
  ['char(3)', ['ab']],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000']],
  ['date', ['2026-02-28', '0044-03-15 BC', 'infinity']],
  ['timestamp', ['2026-02-28 10:11:12.123456', '-infinity']],
  ['timestamptz', ['2026-02-28 10:11:12+05:30']],
  ['time', ['10:11:12']],
  ['interval', ['1 year 2 days 03:04:05']],
  ['json', ['{"a": [1, null, 12345678901234567890]}', '"x"', 'null']],
  ['jsonb', ['[]', '1.50']],
  ['bytea', ['\\x00ff', '\\x']],
  ['inet', ['10.0.0.1/8']],
  ['int4range', ['[1,5)']],
  ['integer[]', ['{1,NULL,3}', '{}']],
  ['text[]', ['{"a,b","c\\"d",NULL}']],
  ['numeric[]', ['{1.10,2}']],
  ['timestamptz[]', ['{"2026-02-28 10:11:12+00"}']],
  ['jsonb[]', ['{"{\\"a\\": 1}"}']],
  ['odd.mood', ['it\'s "bad"', 'a|b']],
  ['odd.mood[]', ['{"a|b"}']],
  ['odd.whole', ['5']],
  ['odd.words', ['{x,y}']],
  ['odd.pair', ['(1,"x y")']],
  ['point', ['(1,2)']],
  ['bit(3)', ['101']],
  ['money', ['12.34']],
];
const OWN = `CREATE SCHEMA odd; CREATE TYPE odd.mood AS ENUM ('it''s "bad"', 'a|b', '');
  CREATE DOMAIN odd.whole AS integer CHECK (VALUE > 0); CREATE DOMAIN odd.words AS text[];
  CREATE TYPE odd.pair AS (a integer, b text);`;

const column = fc.record({
  name,
  type: fc.nat(TYPES.length - 1),
  value: fc.nat(4),
  isRequired: fc.boolean(),
  comment: fc.option(fc.string({ unit: 'grapheme', maxLength: 30 }), { nil: undefined }),
});
const table = fc.record({
  name,
  columns: fc.uniqueArray(column, { minLength: 1, maxLength: 6, selector: (each) => each.name }),
  hasKey: fc.boolean(),
});
type Made = {
  name: string;
  columns: { name: string; type: number; value: number; isRequired: boolean; comment?: string | undefined }[];
  hasKey: boolean;
};

const KEYS = new Set([
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'text',
  'uuid',
  'date',
  'timestamptz',
  'odd.mood',
  'odd.whole',
]);

function sqlOf(made: Made): string {
  const at = `fuzz.${quoted(made.name)}`;
  const columns = made.columns.map(
    ({ name: each, type, isRequired }) =>
      `${quoted(each)} ${TYPES[type]![0]}${isRequired ? ' NOT NULL' : ''}`,
  );
  const key = made.columns.filter(({ type }) => KEYS.has(TYPES[type]![0])).slice(0, 2);
  if (made.hasKey && key.length > 0)
    columns.push(`PRIMARY KEY (${key.map((each) => quoted(each.name)).join(', ')})`);
  const comments = made.columns
    .filter(({ comment }) => comment !== undefined)
    .map((each) => `COMMENT ON COLUMN ${at}.${quoted(each.name)} IS ${textOf(each.comment!)};`);
  const values = made.columns.map(({ type, value }) => {
    const [sql, all] = TYPES[type]!;
    return `${textOf(all[value % all.length]!)}::${sql}`;
  });
  return `CREATE TABLE ${at} (${columns.join(', ')}); ${comments.join(' ')} INSERT INTO ${at} VALUES (${values.join(', ')});`;
}

const textOf = (text: string) =>
  `E'${text.replaceAll('\0', '').replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

let shop: OpenedShop;
beforeAll(async () => {
  shop = await OpenedShop.open(OWN);
});
afterAll(() => shop.close());

test('any names and types give code that compiles, tools that a host takes, and rows as they are', async () => {
  const made = fc.sample(
    fc.uniqueArray(table, { minLength: 1, maxLength: 12, selector: (each) => each.name }),
    runs(3),
  );
  for (const tables of made) {
    await shop.pglite.exec(
      `DROP SCHEMA IF EXISTS fuzz CASCADE; CREATE SCHEMA fuzz; ${tables.map(sqlOf).join('\n')}`,
    );
    const plan = await shop.plan({ schemas: ['fuzz'], write: ['*'] });
    await checkCode(writeFiles(plan));
    const database = new TableDatabase({ pglite: shop.pglite });
    for (const each of plan.tables) await checkRows(database, each);
  }
});

async function checkCode(files: ReadonlyMap<string, string>): Promise<void> {
  for (const text of files.values()) expect(text).not.toMatch(/[\u200b\u202e]/);
  const project = new TablesProject(files);
  try {
    expect(project.compile()).toBe('');
    const tools = await project.inspect();
    expect(tools.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    const names = tools.map((tool) => tool.name);
    expect(new Set(names).size).toBe(names.length);
    for (const each of [...names, ...tools.flatMap(({ input }) => Object.keys(input['properties'] ?? {}))])
      expect(each).toMatch(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);
  } finally {
    project.remove();
  }
}

/** A row is read, deleted, and written again as it was read: then it is the same row. */
async function checkRows(database: TableDatabase, planned: PlannedTable): Promise<void> {
  const known = tableOf(planned);
  const anyone = { principal: undefined };
  const { rows } = await database.list<Record<string, any>>(known, {}, anyone);
  expect(rows).toHaveLength(1);
  if (!planned.keyMembers) return;
  const row = await database.get<Record<string, any>>(known, rows[0]!, anyone);
  expect(row).toMatchObject(rows[0]!);
  const isWhole = planned.columns.every(({ write, isSecret }) => write.isInNew && !isSecret);
  // JSON has neither, so these rows cannot be written again.
  if (!isWhole || planned.columns.some(({ member, isNullable }) => row[member] === null && !isNullable))
    return;
  await database.delete(known, row, anyone);
  expect(await database.insert(known, row, anyone)).toEqual(row);
  const [key] = planned.keyMembers;
  const found = await database.list<Record<string, any>>(
    known,
    { where: [{ column: key!, is: 'equal', value: row[key!] }], orderBy: key! },
    anyone,
  );
  expect(found.rows).toHaveLength(1);
}
