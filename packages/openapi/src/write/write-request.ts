import { isIdentifier, literalText, pascalName, WRITTEN_WIDTH } from '@toolwright/json';
import { LIMIT, type PlannedOperation, type ParameterStyle } from '../model/planned-operation.js';
import { isFormData, isPlainJson } from '../model/media-types.js';
import type { UsedNames } from './type-text.js';

/** Writes the statement that makes the request: the body of a method. */
export function writeRequest(operation: PlannedOperation, used: UsedNames): string {
  const { result, paging } = operation;
  const request = requestText(operation, used);
  if (paging) return statement('return this.api.list', [request, pagingText(operation), 'ctx']);
  if (result.kind === 'none') return statement('await this.api.send', [request, 'ctx']);
  return statement(`return this.api.${result.kind === 'text' ? 'text' : 'call'}`, [request, 'ctx']);
}

type Members = readonly (readonly [name: string, value: string | Members])[];

function requestText(operation: PlannedOperation, used: UsedNames): Members {
  const { method, path, baseUrl, auth, arguments: all, constants, body, result } = operation;
  const writers: Writers = { used, variables: new Set([...all.map(({ name }) => name), body?.name]) };
  const at = (place: string): Members => [
    ...constants
      .filter((each) => each.in === place)
      .map(({ name, value }) => [key(name), literalText(value)] as const),
    ...all
      .filter((each) => each.in === place)
      .map(({ apiName, name, style, isReserved }) => {
        const value = withStyle(name, style, writers);
        return [key(apiName), isReserved ? written(value, 'reserved', writers) : value] as const;
      }),
  ];
  const places = (['path', 'query', 'header', 'cookie'] as const).map((place) => [place, at(place)] as const);
  return [
    ['method', literalText(method)],
    ['path', literalText(path)],
    ...(baseUrl === undefined ? [] : [['baseUrl', literalText(baseUrl)] as const]),
    ...(!auth || auth.isEverything ? [] : [['auth', listText(auth.lists)] as const]),
    ...(result.kind === 'json' && result.mayBeEmpty ? [['mayBeEmpty', 'true'] as const] : []),
    ...(result.kind === 'text' && result.isLocation ? [['location', 'true'] as const] : []),
    ...places
      .filter(([, members]) => members.length > 0)
      .map(([place, members]) => [NAMES[place], members] as const),
    ...(body ? bodyText(body, writers) : []),
  ];
}

const listText = (lists: readonly (readonly string[])[]) =>
  `[${lists.map((list) => `[${list.map(literalText).join(', ')}]`).join(', ')}]`;

const NAMES = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const;

const key = (name: string) => (isIdentifier(name) ? name : literalText(name));

/** The functions that write values, and the variables of the method, which may have their names. */
interface Writers {
  readonly used: UsedNames;
  readonly variables: ReadonlySet<string | undefined>;
}

function withStyle(value: string, style: ParameterStyle, writers: Writers): string {
  if (style === 'form' || style === 'simple') return value;
  return written(value, style === 'json' ? 'asJson' : style, writers);
}

function written(value: string, writer: string, { used, variables }: Writers): string {
  const alias = variables.has(writer) ? `write${pascalName(writer)}` : writer;
  used.openapi.add(alias === writer ? writer : `${writer} as ${alias}`);
  return `${alias}(${value})`;
}

function bodyText(body: NonNullable<PlannedOperation['body']>, writers: Writers): Members {
  const { kind, contentType, name, styles, parts } = body;
  const mark = body.isFlat || body.required ? '' : '?.';
  const changed = Object.entries(styles).map(
    ([member, style]) => [key(member), withStyle(`${name}${access(member, mark)}`, style, writers)] as const,
  );
  const members: Members | string = changed.length > 0 ? [[`...${name}`, ''], ...changed] : name;
  if (kind === 'form') return [['form', members]];
  const types = Object.entries(parts).map(([part, type]) => [key(part), literalText(type)] as const);
  if (kind === 'multipart')
    return [
      ['multipart', members],
      ...(types.length > 0 ? [['parts', types] as const] : []),
      ...(isFormData(contentType) ? [] : [['contentType', literalText(contentType)] as const]),
    ];
  const isUsual = kind === 'json' && isPlainJson(contentType);
  return [['body', name], ...(isUsual ? [] : [['contentType', literalText(contentType)] as const])];
}

const access = (member: string, mark: string) =>
  isIdentifier(member) ? `${mark || '.'}${member}` : `${mark}[${literalText(member)}]`;

function pagingText({ paging }: PlannedOperation): Members {
  const { by, at, size, items, next, first } = paging!;
  return [
    ['by', literalText(by)],
    ['at', literalText(at)],
    ...(size
      ? [
          [
            'size',
            [
              ['name', literalText(size.name)],
              ['most', String(size.most)],
              ...(size.least === undefined ? [] : [['least', String(size.least)] as const]),
            ] as Members,
          ] as const,
        ]
      : []),
    ...(items === undefined ? [] : [['items', literalText(items)] as const]),
    ...(next === undefined ? [] : [['next', literalText(next)] as const]),
    ...(first === undefined ? [] : [['first', String(first)] as const]),
    [LIMIT.name, LIMIT.name],
  ];
}

/** On one line if it fits, otherwise each argument, and then each member, on its own. */
function statement(call: string, parts: readonly (Members | string)[]): string {
  const line = `    ${call}(${parts.map(inOneLine).join(', ')});\n`;
  if (line.length <= WRITTEN_WIDTH + 1) return line;
  return `    ${call}(\n${parts.map((part) => `      ${inLines(part, '      ')},\n`).join('')}    );\n`;
}

const member = (name: string, value: string) => (value === '' || name === value ? name : `${name}: ${value}`);

function inOneLine(part: Members | string): string {
  if (typeof part === 'string') return part;
  return `{ ${part.map(([name, value]) => member(name, inOneLine(value))).join(', ')} }`;
}

function inLines(part: Members | string, indent: string): string {
  const line = inOneLine(part);
  if (typeof part === 'string' || indent.length + line.length <= WRITTEN_WIDTH) return line;
  const lines = part.map(([name, value]) => `${indent}  ${member(name, inLines(value, `${indent}  `))},\n`);
  return `{\n${lines.join('')}${indent}}`;
}
