import {
  type InexactNumber,
  type JsonSchema,
  LongInteger,
  inexactNumbers,
  isObject,
  nearestNames,
  schemaTypeOf,
} from '@toolwright/json';
import { allows, type Arguments, type ArgumentShape, argumentShapes } from './argument-shape.js';
import { readExact } from './exact-json.js';
import { usageError } from '@toolwright/operate/terminal';

type Values = Record<string, unknown>;

/** Whose arguments they are, and what is given beside the words. */
interface Given {
  /** Default: a tool. */
  readonly of?: 'tool' | 'prompt' | 'template';
  /** The value of an option `--input` before the name of the tool. */
  readonly input?: string | undefined;
  /** Reads the text behind `@file` or `-`; undefined for a word that is neither. */
  readText?(word: string): string | undefined;
}

/**
 * Reads a tool's arguments in the form of a shell: `--query words`, `--limit=5`, `--exact`, `--no-exact`,
 * `--tag a --tag b`, and `--input '{…}'` for a JSON object with all of them, or `--input @file`, or `--input -` for
 * standard input. The tool's schema decides their types.
 *
 * @throws {CommandError} for arguments that the tool does not accept, or that cannot be read as their type
 */
export function parseArguments(words: readonly string[], schema: JsonSchema, given: Given = {}): Values {
  const shapes = argumentShapes(schema);
  const { named, others } = shapes;
  const { of = 'tool', input } = given;
  const isAll = (name: string) => name === 'input' && !named.has(name);
  const shapeOf = (name: string): ArgumentShape => {
    const shape = isAll(name) ? INPUT : (named.get(name) ?? others);
    if (!shape) throw usageError(unknownArgument(name, of, [...named.keys()]));
    return shape;
  };
  const args = new Map<string, unknown>();
  const takeAll = (text: string) => {
    for (const [name, value] of Object.entries(parseObject(text, given))) args.set(name, value);
  };
  if (input !== undefined) takeAll(input);
  const written = new Map<string, unknown[]>();
  const rest = [...words];
  while (rest.length > 0) {
    const { name, value } = takeOption(rest, named, shapeOf);
    if (isAll(name)) {
      takeAll(value as string);
      continue;
    }
    const values = [...(written.get(name) ?? []), value];
    if (values.length > 1 && !shapeOf(name).types.includes('array'))
      throw usageError(`--${name} takes one value, and two are written.`);
    written.set(name, values);
    args.set(name, values.length > 1 ? values.flat() : value);
  }
  const values = Object.fromEntries(args);
  const refused = inexactNumbers(values, false).find((each) => !isTaken(each, shapes));
  if (refused) throw usageError(`--${refused.path.join('.')} is not sent: ${refused.why}`);
  return values;
}

/** Where the schema wants an integer, and no text in its place, all digits are sent. The server knows what it can hold. */
function isTaken({ path, value }: InexactNumber, { named, others }: Arguments): boolean {
  const [name = '', ...inside] = path;
  let shape = named.get(name) ?? others;
  for (const key of inside)
    shape = shape?.types.includes('array') && /^\d+$/.test(key) ? shape.items() : shape?.member(key);
  const { types = [] } = shape ?? {};
  const isHeld = value instanceof LongInteger && Number.isFinite(Number(String(value)));
  return isHeld && types.includes('integer') && !types.includes('string');
}

type Named = ReadonlyMap<string, ArgumentShape>;

/** All arguments in one text. */
const INPUT: ArgumentShape = {
  types: ['string'],
  members: undefined,
  items: () => INPUT,
  member: () => undefined,
};

const isSwitch = (shape: ArgumentShape | undefined) => shape?.types.includes('boolean') ?? false;

function takeOption(
  rest: string[],
  named: Named,
  shapeOf: (name: string) => ArgumentShape,
): { name: string; value: unknown } {
  const word = rest.shift()!;
  const [, written, attached] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (written === undefined)
    throw usageError(
      `"${word}" is no argument: write --name value, or all in one with --input '{"name": …}'.`,
    );
  const negated = written.startsWith('no-') && !named.has(written) ? written.slice(3) : '';
  if (attached === undefined && isSwitch(named.get(negated))) return { name: negated, value: false };
  const shape = shapeOf(written);
  const next = attached ?? valueIn(rest, named, shape);
  if (next === undefined && isSwitch(shape)) return { name: written, value: true };
  if (next === undefined)
    throw usageError(`--${written} needs a value. If it begins with "--", write --${written}=….`);
  if (attached === undefined) rest.shift();
  return { name: written, value: parseValue(next, shape, written) };
}

/** The next word, unless it is another option: a person may forget a value, and a switch needs none. */
function valueIn([next]: readonly string[], named: Named, shape: ArgumentShape): string | undefined {
  const [, option = ''] = /^--(?:no-)?([^=]+)/.exec(next ?? '') ?? [];
  if (next === undefined || named.has(option) || option === 'input') return undefined;
  if (!isSwitch(shape) || /^(true|false)$/.test(next)) return next;
  const isOther = shape.types.some((type) => type !== 'boolean' && type !== 'null');
  return (isOther && !next.startsWith('--')) || (next === 'null' && shape.types.includes('null'))
    ? next
    : undefined;
}

function parseValue(text: string, { types, members = [], items }: ArgumentShape, name: string): unknown {
  if (members.includes(text)) return text;
  const same = members.filter((each) => JSON.stringify(each) === text);
  if (same.length > 0) return same[0];
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  const isText = types.includes('string');
  if (types.includes('null') && text === 'null' && !isText) return null;
  if (types.includes('array')) {
    const list = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
    const { types: within } = items();
    const isFitting = (each: unknown) => fits(each, within);
    // One list of a list of lists.
    const isItem = Array.isArray(list) && within.includes('array') && !list.every(isFitting);
    if (Array.isArray(list) && !isItem && (!isText || list.every(isFitting))) return list as unknown[];
    if (!isText && (isItem || list === undefined)) return [parseValue(text, items(), name)];
  }
  if (isText) return text;
  const value = parseJson(text);
  // An argument without a type accepts anything. Text that is not JSON is a string.
  if (value === undefined && types.length === 0) return text;
  // Whether a value of the right type is one that the tool takes, such as one of an enum, is for the server to say.
  if (value === undefined || !fits(value, types))
    throw usageError(`--${name} takes ${types.join(' or ')} (as JSON), not ${JSON.stringify(text)}.`);
  return value;
}

/** What no double holds is a number of any type here. Whether it can be sent is asked later, with advice of its own. */
const typeOf = (value: unknown) =>
  value instanceof LongInteger || Math.abs(value as number) === Infinity ? 'integer' : schemaTypeOf(value);
const fits = (value: unknown, types: readonly string[]) => types.length === 0 || allows(types, typeOf(value));

function parseJson(text: string): unknown {
  try {
    return readExact(text);
  } catch {
    return undefined;
  }
}

function parseObject(word: string, { readText }: Given): Values {
  const text = readText?.(word) ?? word;
  const value = parseJson(text);
  if (isObject(value) && !(value instanceof LongInteger)) return value;
  throw usageError(`--input takes a JSON object, not ${JSON.stringify(text)}.`);
}

function unknownArgument(name: string, of: string, names: readonly string[]): string {
  const near = nearName(name, names);
  if (near !== undefined) return `The ${of} has no argument --${name}. Did you mean --${near}?`;
  const takes = names.length > 0 ? names.map((each) => `--${each}`).join(', ') : 'none';
  return `The ${of} has no argument --${name}. It takes ${takes}.`;
}

/** The name that somebody has meant. Command lines write dashes where a name has underscores or capitals. */
export function nearName(name: string, names: readonly string[]): string | undefined {
  const plain = (each: string) => each.replaceAll(/[-_]/g, '').toLowerCase();
  const same = names.find((each) => plain(each) === plain(name)) ?? nearestNames(name, names)[0];
  const [longer, ...more] =
    plain(name).length < 3 ? [] : names.filter((each) => plain(each).includes(plain(name)));
  return same ?? (more.length === 0 ? longer : undefined);
}
