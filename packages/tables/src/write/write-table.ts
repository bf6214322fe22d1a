import { camelName, comment, importLine, literalText, safeText, WRITTEN_WIDTH } from '@toolwright/json';
import { isComparable, type PlannedColumn, type PlannedTable } from '../model/planned-table.js';
import type { DatabaseColumn } from '../run/database-table.js';
import { columnForm, type ColumnUse, memberText, unionText } from './column-form.js';
import { actionsOf, type WrittenAction } from './table-actions.js';
import { tableOf } from './table-of.js';
import type { TableNames } from './table-names.js';

export interface TableWriting {
  readonly names: TableNames;
  /** The class of the database. */
  readonly database: string;
  readonly origin: string;
}

/** Writes the file of a table: what it is, its types, and its service. */
export function writeTable(table: PlannedTable, { names, database, origin }: TableWriting): string {
  const actions = actionsOf(table, names);
  const types = typesOf(table, names);
  const core = ['MaxOutput', 'McpService', 'McpTool', 'ToolContext'];
  if (actions.some(({ confirm }) => confirm !== undefined)) core.push('Confirm');
  if (types.imports.has('integer')) core.push('type integer');
  const own = ['DatabaseTable', 'ListRows', 'RowPage'];
  if (types.imports.has('Json')) own.push('Json');
  const asked = actions.some(({ confirm }) => confirm !== undefined) ? ['rowQuestion'] : [];
  const about = table.description === '' ? [] : [safeText(table.description)];
  return [
    importLine(core, '@toolwright/core'),
    asked.length === 0
      ? importLine(own, '@toolwright/tables', 'import type')
      : importLine([...asked, ...own.map((each) => `type ${each}`)], '@toolwright/tables'),
    `import { ${database} } from './database.js';\n\n`,
    tableConstant(table, names),
    types.text,
    comment(about, ''),
    `@McpService({ origin: ${literalText(origin)}, category: ${literalText(table.label)} })\n`,
    `export class ${names.service} {\n  constructor(private readonly database: ${database}) {}\n\n`,
    `${actions.map(methodText).join('\n')}}\n`,
  ].join('');
}

function tableConstant(planned: PlannedTable, { table: constant }: TableNames): string {
  const { schema, name, key, rowSecurity, columns } = tableOf(planned);
  const lines = [
    `schema: ${literalText(schema)}`,
    `name: ${literalText(name)}`,
    ...(key ? [`key: [${key.map(literalText).join(', ')}]`] : []),
    ...(rowSecurity === undefined ? [] : [`rowSecurity: ${rowSecurityText(rowSecurity)}`]),
    `columns: {\n${Object.entries(columns)
      .map(([member, column]) => `    ${member}: ${columnText(column)},\n`)
      .join('')}  }`,
  ];
  return `const ${constant}: DatabaseTable = {\n${lines.map((line) => `  ${line},\n`).join('')}};\n\n`;
}

const rowSecurityText = (given: boolean | readonly string[]) =>
  typeof given === 'boolean' ? String(given) : `[${given.map(literalText).join(', ')}]`;

function columnText(column: string | DatabaseColumn): string {
  if (typeof column === 'string') return literalText(column);
  const members = Object.entries(column).map(([name, value]) => `${name}: ${literalText(value)}`);
  return `{ ${members.join(', ')} }`;
}

interface WrittenTypes {
  readonly text: string;
  readonly imports: ReadonlySet<string>;
}

/** The types of a table, as far as its tools need them. */
function typesOf({ columns, keyMembers, tools, label }: PlannedTable, names: TableNames): WrittenTypes {
  const imports = new Set<string>();
  const member = (column: PlannedColumn, use: ColumnUse, isRequired: boolean) => {
    const form = columnForm(column, use);
    for (const each of form.imports) imports.add(each);
    return memberText(column, form, isRequired);
  };
  const interfaceText = (name: string, members: readonly string[], about: string, heir = '') =>
    `${comment([about], '')}export interface ${name}${heir} {\n${members.join('')}}\n\n`;
  const shown = columns.filter(({ isSecret }) => !isSecret);
  const keys = keyMembers?.map((each) => columns.find((column) => column.member === each)!);
  const added = columns.filter(({ write }) => write.isInNew);
  const changed = columns.filter(({ write }) => write.isInChange);
  const comparable = columns.filter(isComparable).map((each) => literalText(each.member));
  const row = safeText(label);
  const parts = [
    interfaceText(
      names.row,
      shown.map((each) => member(each, 'read', each.kind !== 'bytes' || each.isList)),
      `A row of ${row}.`,
    ),
    comparable.length === 0
      ? ''
      : `type ${names.column} =${unionText(comparable.join(' | '), '', names.column.length + 7)};\n\n`,
    ...(tools.get && keys
      ? [
          interfaceText(
            names.key,
            keys.map((each) => member(each, 'key', true)),
            `What names a row of ${row}.`,
          ),
        ]
      : []),
    ...(tools.insert
      ? [
          interfaceText(
            names.added,
            added.map((each) => member(each, 'write', !each.isNullable && !each.hasDefault)),
            `A new row of ${row}.`,
          ),
        ]
      : []),
    ...(tools.update
      ? [
          interfaceText(
            names.change,
            changed.map((each) => member(each, 'write', false)),
            `What to change in a row of ${row}. A column that is not given stays.`,
            ` extends ${names.key}`,
          ),
        ]
      : []),
  ];
  return { text: parts.join(''), imports };
}

const annotationsText = (annotations: WrittenAction['annotations']) =>
  `{ ${Object.entries(annotations)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;

function decoratorText(tool: string, annotations: WrittenAction['annotations']): string {
  const [name, hints] = [`name: ${literalText(tool)}`, `annotations: ${annotationsText(annotations)}`];
  const line = `  @McpTool({ ${name}, ${hints} })\n`;
  return line.length <= WRITTEN_WIDTH + 1 ? line : `  @McpTool({\n    ${name},\n    ${hints},\n  })\n`;
}

function confirmText(confirm: string): string {
  const line = `  @Confirm(${confirm})\n`;
  return line.length <= WRITTEN_WIDTH + 1 ? line : `  @Confirm(${confirm.replace('=> ', '=>\n    ')})\n`;
}

function methodText({
  tool,
  method,
  about,
  annotations,
  confirm,
  hasLongAnswer,
  parameter,
  result,
  body,
}: WrittenAction): string {
  const head = `  async ${camelName(method)}(${parameter}, ctx: ToolContext): Promise<${result}> {\n`;
  const isLong = head.length > WRITTEN_WIDTH + 1;
  return [
    comment([safeText(about)], '  '),
    decoratorText(tool, annotations),
    hasLongAnswer ? '  @MaxOutput({ tokens: 10_000 })\n' : '',
    confirm === undefined ? '' : confirmText(confirm),
    isLong
      ? `  async ${camelName(method)}(\n    ${parameter},\n    ctx: ToolContext,\n  ): Promise<${result}> {\n`
      : head,
    `    return ${body};\n  }\n`,
  ].join('');
}
