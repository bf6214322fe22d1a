import type { ListedTool } from '@toolwright/client';
import { type JsonSchema, isSensitive } from '@toolwright/json';
import { namedArguments } from './named-arguments.js';
import type { InspectedEntry } from '@toolwright/schema-compiler';
import type { InspectedMethod } from '../build/boot-diagnostics.js';
import { type Terminal, formatTable, inLine, styleFor, wrapWords } from '@toolwright/operate/terminal';

/**
 * The type of a schema in a few words, in TypeScript's notation: `string[]`, `"asc" | "desc"`,
 * `{ id, title }`.
 */
export function describeSchema(schema: JsonSchema | boolean | undefined): string {
  if (schema === undefined || typeof schema === 'boolean') return schema === false ? 'never' : 'any';
  if (isSensitive(schema)) return [schema.type ?? 'any'].flat().join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(describeSchema))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array') return describeArray(schema);
  if (schema.type === 'object') return describeObject(schema);
  return schema.type ?? (schema.allOf ? schema.allOf.map(describeSchema).join(' & ') : 'any');
}

function describeArray({ items, prefixItems }: JsonSchema): string {
  if (prefixItems) return `[${prefixItems.map(describeSchema).join(', ')}]`;
  const item = describeSchema(items);
  return / [|&] /.test(item) ? `(${item})[]` : `${item}[]`;
}

function describeObject({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  if (typeof additionalProperties === 'object') names.push(`[key]: ${describeSchema(additionalProperties)}`);
  return names.length === 0 ? 'object' : `{ ${names.join(', ')} }`;
}

/** When a method runs by itself, such as `0 3 * * * (Europe/Vienna)`. */
export function describeSchedule({ cron, timeZone }: NonNullable<InspectedEntry['schedule']>): string {
  if (cron === undefined) return 'times that are known when the server starts';
  return `${cron} (${timeZone ?? 'time zone known when the server starts'})`;
}

/** The tools of a server in lines: name, the whole description, arguments. */
export function formatTools(
  tools: readonly ListedTool[],
  terminal: Pick<Terminal, 'colours' | 'columns'>,
): string[] {
  const { columns } = terminal;
  const style = styleFor(terminal);
  return tools.flatMap((tool) => [
    `${style.bold(inLine(tool.name))}  ${style.dim(inLine(marks(tool).join(' ')))}`.trimEnd(),
    ...(tool.description ? descriptionLines(tool, columns) : []),
    ...formatTable(argumentRows(tool), { columns, indent: '    ' }),
  ]);
}

function marks({ annotations = {} }: ListedTool): string[] {
  return Object.entries(annotations).flatMap(([hint, value]) =>
    value === true ? [hint.replace(/Hint$/, '')] : [],
  );
}

function argumentRows({ inputSchema }: ListedTool): string[][] {
  return [...namedArguments(inputSchema)].map(([name, { schemas, isRequired }]) => {
    const withDefault = schemas.find((schema) => schema.default !== undefined && !isSensitive(schema));
    const { description = '' } = schemas.find((schema) => schema.description !== undefined) ?? {};
    return [
      `--${name}`,
      [...new Set(schemas.map(describeSchema))].join(' | '),
      isRequired ? 'required' : withDefault ? `default ${JSON.stringify(withDefault.default)}` : '',
      description.trim().replace(/\s*\n\s*/g, ' '),
    ];
  });
}

export function descriptionLines(
  { description = '' }: Pick<ListedTool, 'description'>,
  columns = Infinity,
): string[] {
  const lines = description.trimEnd().split(/\r?\n/).map(inLine);
  return lines.flatMap((line) => wrapWords(line, columns - 2)).map((line) => `  ${line}`.trimEnd());
}

/** What a method is on the server of an app, if one was looked at. */
export interface ShownEntry extends InspectedMethod {
  /** Whether a server of the app lists it. */
  served?: boolean;
  /** The app adds it while it runs. */
  added?: true;
}

/** One line per decorated method: its name, its signature in short form, and its place. */
export function formatEntries(
  entries: readonly ShownEntry[],
  terminal: Pick<Terminal, 'colours' | 'columns'>,
): string[] {
  const style = styleFor(terminal);
  if (entries.length === 0) return ['No decorated methods.'];
  return formatTable(
    entries.map(({ name, input, output, stream, key, standard, schedule, diagnostics, served, added }) => [
      style.bold(name),
      `(${signature(input)}) -> ${output === null ? 'nothing' : describeSchema(output)}${stream ? ', streamed' : ''}`,
      style.dim(key),
      [
        ...(schedule ? [style.cyan(`runs at ${describeSchedule(schedule)}`)] : []),
        ...(standard ? [style.dim('completed by a schema when the server starts')] : []),
        ...(added ? [style.cyan('added at run time')] : []),
        ...(served === false ? [style.yellow('not served')] : []),
        ...(diagnostics.length > 0 ? [style.red(`${diagnostics.length} diagnostics`)] : []),
      ].join('  '),
    ]),
    terminal,
  );
}

function signature({ properties = {}, required = [] }: InspectedMethod['input']): string {
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(', ');
}
