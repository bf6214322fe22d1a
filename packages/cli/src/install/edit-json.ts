import { isObject } from '@toolwright/json';
import type { HostConfig } from '@toolwright/hosts';
import {
  type Node,
  type ParseError,
  SyntaxKind,
  createScanner,
  findNodeAtLocation,
  parse,
  parseTree,
} from 'jsonc-parser';
import { isDeepStrictEqual } from 'node:util';
import { CommandError, jsonProblem } from '@toolwright/operate/terminal';

type Entry = Record<string, unknown>;

/** The entry at a path of a JSON text, which may have comments and commas at the end of lists. */
export function jsonEntry(text: string, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), read(text));
}

/**
 * The text with an entry added or replaced. Comments, order and everything else stay.
 *
 * @throws {SettingsError} if that is not possible
 */
export function withJsonEntry(text: string, { path, entry, inputs = [], text: whole }: HostConfig): string {
  if (text.trim() === '') return whole;
  const expected = read(text) as Entry;
  setAt(expected, path, entry);
  let after = write(text, path, entry);
  for (const input of inputs) {
    const known = listOf(expected['inputs']);
    const index = known.findIndex(({ id }) => id === input.id);
    after = known.length === 0 ? write(after, ['inputs'], [input]) : write(after, ['inputs', index], input);
    expected['inputs'] = index < 0 ? [...known, { ...input }] : known.with(index, { ...input });
  }
  return checked(text, after, path, expected);
}

/** The text without an entry, and without the inputs that only this entry uses. */
export function withoutJsonEntry(text: string, path: readonly string[]): string {
  const expected = read(text) as Entry;
  const entry = jsonEntry(text, path);
  let after = remove(text, path);
  setAt(expected, path, undefined);
  const { inputs, ...others } = expected;
  const mine = new Set(
    [...JSON.stringify(entry).matchAll(/\$\{input:([^}]+)\}/g)]
      .map(([, id]) => id!)
      .filter(
        (id) => id.startsWith(`${path.at(-1)}-`) && !JSON.stringify(others).includes(`\${input:${id}}`),
      ),
  );
  const known = listOf(inputs);
  for (let index = known.length - 1; index >= 0; index--)
    if (mine.has(String(known[index]!['id']))) after = remove(after, ['inputs', index]);
  if (mine.size > 0) expected['inputs'] = known.filter(({ id }) => !mine.has(String(id)));
  return checked(text, after, path, expected);
}

/** Sets the value at a path. What is missing on the way is added; the index -1 is the end of a list. */
function write(text: string, path: readonly (string | number)[], value: unknown): string {
  const root = treeOf(text);
  const known = findNodeAtLocation(root, [...path]);
  if (known)
    return (
      text.slice(0, known.offset) +
      valueText(text, value, known.offset) +
      text.slice(known.offset + known.length)
    );
  const depth = path.findIndex((_, index) => !findNodeAtLocation(root, path.slice(0, index + 1)));
  const container = findNodeAtLocation(root, path.slice(0, depth))!;
  const key = path[depth]!;
  if (typeof key === 'number') return appendChild(text, container, JSON.stringify(value, null, 2));
  const missing = path.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return appendChild(text, container, memberText(text, key, missing));
}

function remove(text: string, path: readonly (string | number)[]): string {
  const node = findNodeAtLocation(treeOf(text), [...path])!;
  // The value of a member is in a node of its own.
  const child = typeof path.at(-1) === 'number' ? node : node.parent!;
  return removeChild(text, child.parent!, child);
}

function treeOf(text: string): Node {
  return parseTree(text, [], { allowTrailingComma: true })!;
}

/** @throws {SettingsError} if it is not a JSON object */
function read(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) {
    const { line, message } = jsonProblem(text, error);
    throw new SettingsError(`Line ${line} is not JSON: ${message}.`);
  }
  if (value !== undefined && !isObject(value)) throw new SettingsError('The file is no JSON object.');
  return value ?? {};
}

function setAt(root: Entry, path: readonly string[], entry: unknown): void {
  let place = root;
  for (const key of path.slice(0, -1)) {
    const next = (place[key] ??= {});
    if (!isObject(next)) throw new SettingsError(`"${key}" is no object.`);
    place = next;
  }
  const name = path.at(-1)!;
  if (entry === undefined) delete place[name];
  else place[name] = entry;
}

/** Nothing but the entry may have changed, whatever the file looks like. */
function checked(before: string, after: string, path: readonly string[], expected: Entry): string {
  const kept = commentsOf(after);
  const areKept = commentsOf(outside(before, path)).every((comment) => kept.includes(comment));
  if (!areKept || !isDeepStrictEqual(read(after), expected))
    throw new SettingsError('The entry cannot be changed without changing something else.');
  return after;
}

/** The text without the value of the entry. */
function outside(text: string, path: readonly string[]): string {
  const node = findNodeAtLocation(treeOf(text), [...path]);
  return node ? text.slice(0, node.offset) + text.slice(node.offset + node.length) : text;
}

function commentsOf(text: string): string[] {
  const scanner = createScanner(text);
  const comments: string[] = [];
  for (let kind = scanner.scan(); kind !== SyntaxKind.EOF; kind = scanner.scan())
    if (kind === SyntaxKind.LineCommentTrivia || kind === SyntaxKind.BlockCommentTrivia)
      comments.push(scanner.getTokenValue());
  return comments;
}

function listOf(value: unknown): Entry[] {
  return Array.isArray(value) ? (value as Entry[]) : [];
}

/**
 * Adds a member to an object, or an item to an array, as the last one and on lines of its own. `jsonc-parser` would
 * put it before the comment of the one before, and would format that one anew.
 *
 * @param child the text of the member or item, with the line ends and the indentation of the first level
 */
function appendChild(text: string, container: Node, child: string): string {
  const { eol, unit } = layoutOf(text);
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const hasComma = last !== undefined && commaAfter(text, last) !== undefined;
  const head = last && !hasComma ? withComma(text, last, close) : text.slice(0, close);
  const outer = indentAt(text, container.offset);
  const inner = last && startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + unit;
  // Where the last one has a comma, ours has one, too.
  const own = child.replaceAll('\n', eol + inner) + (hasComma ? ',' : '');
  return `${head.trimEnd()}${eol}${inner}${own}${eol}${outer}${text.slice(close)}`;
}

/** Removes a member or an item, and its comma. Comments stay. */
function removeChild(text: string, container: Node, child: Node): string {
  const next = commaAfter(text, child);
  const before = container.children![container.children!.indexOf(child) - 1];
  const previous = next === undefined && before ? commaAfter(text, before) : undefined;
  const rest = cutLines(text, child.offset, next ?? child.offset + child.length);
  // Without what comes after it, the comma before would be one too many.
  return previous === undefined ? rest : rest.slice(0, previous - 1) + rest.slice(previous);
}

/** A value in JSON, indented as the text is. */
function valueText(text: string, value: unknown, offset: number): string {
  const { eol, unit } = layoutOf(text);
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indentAt(text, offset));
}

/** A member in JSON, indented as the text is, for `appendChild`. */
function memberText(text: string, key: string, value: unknown): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value, null, layoutOf(text).unit)}`;
}

/** How the text is indented and how its lines end. */
function layoutOf(text: string): { eol: string; unit: string } {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: /^([ \t]+)["}]/m.exec(text)?.[1] ?? '  ' };
}

/** The place after the comma that follows a node; `undefined` if none does. */
function commaAfter(text: string, { offset, length }: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset + length);
  return scanner.scan() === SyntaxKind.CommaToken ? scanner.getPosition() : undefined;
}

function withComma(text: string, { offset, length }: Node, end: number): string {
  return `${text.slice(0, offset + length)},${text.slice(offset + length, end)}`;
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

/** Without a range, and without its lines if they have no other text. */
function cutLines(text: string, start: number, end: number): string {
  const isAlone = startsLine(text, start) && /^[ \t]*\r?\n/.test(text.slice(end));
  if (!isAlone) return text.slice(0, start) + text.slice(end).replace(/^[ \t]+(?=\S)/, '');
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  return text.slice(0, lineStart) + text.slice(text.indexOf('\n', end) + 1);
}

/** Settings that the command cannot change without changing what belongs to others. */
export class SettingsError extends CommandError {
  constructor(why: string) {
    super(`${why} Change the file by hand.`);
  }
}
