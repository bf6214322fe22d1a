import { type JsonSchema, inexactNumbers, nearestNames, readJson } from '@toolwright/json';
import { type ArgumentShape, argumentShapes } from './argument-shape.js';
import { CommandError, exitCodes } from '@toolwright/operate/terminal';

type Arguments = Record<string, unknown>;

/**
 * Reads a tool's arguments in the form of a shell: `--query words`, `--limit=5`, `--exact`, `--no-exact`,
 * `--tag a --tag b`, and `--input '{…}'` for a JSON object with all of them, or `--input @file`, or `--input -` for standard input. The tool's schema decides their
 * types.
 *
 * @throws {CommandError} for arguments that the tool does not accept, or that cannot be read as their type
 */
export function parseArguments(
  words: readonly string[],
  schema: JsonSchema,
  readText: ReadText = () => undefined,
): Arguments {
  const shapes = argumentShapes(schema);
  // A map, because an argument may have any name. An object would lose `__proto__`.
  const args = new Map<string, unknown>();
  const written = new Set<string>();
  const rest = [...words];
  while (rest.length > 0) {
    const { name, value } = takeOption(rest, shapes);
    if (name === 'input' && !shapes.has('input')) {
      for (const [member, each] of Object.entries(parseObject(value, readText))) args.set(member, each);
      continue;
    }
    const before = args.get(name);
    if (Array.isArray(before) && Array.isArray(value)) args.set(name, [...before, ...(value as unknown[])]);
    else if (written.has(name)) throw usage(`--${name} takes one value, and two are written.`);
    else args.set(name, value);
    written.add(name);
  }
  return Object.fromEntries(args);
}

/** Reads the text behind `@file` or `-`; undefined for a word that is neither. */
type ReadText = (word: string) => string | undefined;

type Shapes = ReadonlyMap<string, ArgumentShape>;

/** All arguments in one text. */
const INPUT: ArgumentShape = { types: ['string'], items: () => INPUT };

function takeOption(rest: string[], shapes: Shapes): { name: string; value: unknown } {
  const word = rest.shift()!;
  const [, written, attached] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (written === undefined)
    throw usage(`"${word}" is no argument: write --name value, or all in one with --input '{"name": …}'.`);
  const known = (name: string) => shapes.has(name) || name === 'input';
  const negated = written.startsWith('no-') && !known(written) ? written.slice(3) : undefined;
  const name = negated ?? written;
  if (!known(name)) throw usage(unknownArgument(name, shapes));
  const shape = shapes.get(name) ?? INPUT;
  const isFlag = shape.types.includes('boolean');
  if (isFlag && attached === undefined && !/^(true|false)$/.test(rest[0] ?? ''))
    return { name, value: negated === undefined };
  const text = attached ?? rest.shift();
  if (text === undefined) throw usage(`--${name} needs a value.`);
  return { name, value: parseValue(text, shape, name) };
}

function parseValue(text: string, { types, items }: ArgumentShape, name: string): unknown {
  if (types.includes('string')) return text;
  if (types.includes('array') && !text.trimStart().startsWith('[')) return [parseValue(text, items(), name)];
  const value = parseJson(text, name);
  // An argument without a type accepts anything. Text that is not JSON is a string.
  if (value === undefined && types.length === 0) return text;
  if (value === undefined)
    throw usage(`--${name} takes ${types.join(' or ')} (as JSON), not ${JSON.stringify(text)}.`);
  return value;
}

function parseJson(text: string, name: string): unknown {
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    return undefined;
  }
  const [inexact] = inexactNumbers(value, false);
  if (inexact) throw usage(`--${[name, ...inexact.path].join('.')} is not sent: ${inexact.why}`);
  return value;
}

function parseObject(word: unknown, readText: ReadText): Arguments {
  const text = readText(String(word)) ?? String(word);
  const value = parseJson(text, 'input');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Arguments;
  throw usage(`--input takes a JSON object, not ${JSON.stringify(text)}.`);
}

function unknownArgument(name: string, shapes: Shapes): string {
  const names = [...shapes.keys()].map((each) => `--${each}`);
  // Command lines write dashes where a name has underscores or capitals.
  const plain = (each: string) => each.replaceAll(/[-_]/g, '').toLowerCase();
  const near =
    [...shapes.keys()].find((each) => plain(each) === plain(name)) ??
    nearestNames(name, [...shapes.keys()])[0];
  if (near !== undefined) return `The tool has no argument --${name}. Did you mean --${near}?`;
  const takes = names.length > 0 ? `It takes ${names.join(', ')}.` : 'It takes none.';
  return `The tool has no argument --${name}. ${takes}`;
}

const usage = (message: string) => new CommandError(message, exitCodes.usage);
