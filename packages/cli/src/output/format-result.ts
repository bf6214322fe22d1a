import { isObject, LongInteger, readJson } from '@toolwright/json';
import { writeJson } from '@toolwright/core/transport';
import type { ContentBlock, ToolResult } from '@toolwright/core';
import {
  type Terminal,
  formatTable,
  styleFor,
  visible,
  widthOf,
  visibleJson,
} from '@toolwright/operate/terminal';

/**
 * The result of a call: texts as they are, and one line for each block that is not text. On a terminal,
 * structured content is a table. Elsewhere it is JSON, unless it is a text.
 */
export function formatResult(
  { content, structuredContent }: ToolResult,
  terminal: Pick<Terminal, 'colours' | 'columns'>,
): string[] {
  if (!Array.isArray(content)) throw new TypeError('the result of the call has no list "content"');
  if (structuredContent === undefined) return content.map(formatBlock);
  const text = textOf(structuredContent, content);
  if (text !== undefined) return [text];
  if (terminal.columns === undefined) return [visibleJson(structuredContent)];
  const said = content.filter((block) => !isSame(block, structuredContent));
  return [...said.map(formatBlock), ...formatValue(structuredContent, terminal)];
}

export function formatBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource':
      return block.resource.text ?? `[${block.resource.uri}, ${block.resource.mimeType ?? 'binary'}]`;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes]`;
    // A server may send a kind that this version does not know.
    default:
      return visibleJson(block);
  }
}

/**
 * Most servers repeat structured content as text, for clients that read only text (server/tools, structured
 * content).
 */
function isSame(block: ContentBlock, structured: unknown): boolean {
  if (block.type !== 'text') return false;
  try {
    return writeJson(readJson(block.text)) === writeJson(structured);
  } catch {
    return false;
  }
}

/**
 * The text of a tool that returns one. It is the structured content, or its only member if it must be an
 * object. Servers clean only the block that models read, so structured content is exact.
 */
function textOf(structured: unknown, content: readonly ContentBlock[]): string | undefined {
  const [block, ...more] = content;
  if (block?.type !== 'text' || more.length > 0) return undefined;
  const members =
    typeof structured === 'object' && structured !== null ? Object.values(structured) : [structured];
  const [text] = members;
  if (members.length !== 1 || typeof text !== 'string') return undefined;
  return visible(text) === visible(block.text) ? text : undefined;
}

type Row = Record<string, unknown>;

/**
 * A structured result for people: lists of similar objects as tables, members as lines, anything deeper as
 * JSON. Nothing is cut: a table that is wider than the screen becomes one block of lines for each row.
 */
export function formatValue(value: unknown, terminal: Pick<Terminal, 'colours' | 'columns'>): string[] {
  const { bold } = styleFor(terminal);
  if (isRows(value)) return tableOf(value, terminal);
  if (!isRow(value)) return [writeJson(value, 2)];
  const members = Object.entries(value);
  const plain = members.filter(([, member]) => !isRows(member));
  return [
    ...linesOf(plain, terminal),
    ...members
      .filter((member): member is [string, Row[]] => isRows(member[1]))
      .flatMap(([name, rows]) => [
        ...(members.length > 1 ? ['', bold(name)] : []),
        ...tableOf(rows, terminal),
      ]),
  ];
}

type Shown = Pick<Terminal, 'colours' | 'columns'>;

function tableOf(rows: readonly Row[], terminal: Shown): string[] {
  const { bold } = styleFor(terminal);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const table = formatTable([names.map(bold), ...rows.map((row) => names.map((name) => cell(row[name])))]);
  if (table.every((line) => widthOf(line) <= (terminal.columns ?? Infinity))) return table;
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...linesOf(
      names.filter((name) => name in row).map((name) => [name, row[name]]),
      terminal,
    ),
  ]);
}

function linesOf(members: readonly (readonly [string, unknown])[], terminal: Shown): string[] {
  const { bold } = styleFor(terminal);
  return formatTable(
    members.map(([name, member]) => [bold(name), cell(member)]),
    terminal,
  );
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value.replace(/\s*\n\s*/g, ' ') : writeJson(value);
}

const isRow = (value: unknown): value is Row => isObject(value) && !(value instanceof LongInteger);

const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);
