import { type JsonSchema, inexactNumbers, readJson } from '@toolwright/json';
import { CommandError, exitCodes } from '@toolwright/operate/terminal';

type Arguments = Record<string, unknown>;

/**
 * Reads a tool's arguments in the form of a shell: `--query words`, `--limit=5`, `--exact`, `--no-exact`,
 * `--tag a --tag b`, and `--input '{…}'` for a JSON object with all of them. The tool's schema decides their
 * types.
 *
 * @throws {CommandError} for arguments that the tool does not accept, or that cannot be read as their type
 */
export function parseArguments(words: readonly string[], schema: JsonSchema): Arguments {
  // A map, because an argument may have any name. An object would lose `__proto__`.
  const args = new Map<string, unknown>();
  const rest = [...words];
  while (rest.length > 0) {
    const { name, value } = takeOption(rest, schema);
    if (name === 'input' && !isProperty('input', schema)) {
      for (const [member, each] of Object.entries(parseObject(value))) args.set(member, each);
    } else if (typesOf(schema.properties![name]!).includes('array') && Array.isArray(args.get(name)))
      args.set(name, [...(args.get(name) as unknown[]), ...(value as unknown[])]);
    else args.set(name, value);
  }
  return Object.fromEntries(args);
}

const isProperty = (name: string, { properties = {} }: JsonSchema) => Object.hasOwn(properties, name);

function takeOption(rest: string[], schema: JsonSchema): { name: string; value: unknown } {
  const word = rest.shift()!;
  const [, written, attached] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (written === undefined) throw usage(`"${word}" is no argument: write --name value.`);
  const known = (name: string) => isProperty(name, schema) || name === 'input';
  const negated = written.startsWith('no-') && !known(written) ? written.slice(3) : undefined;
  const name = negated ?? written;
  if (!known(name)) throw usage(unknownArgument(name, schema));
  const property = isProperty(name, schema) ? schema.properties![name]! : { type: 'string' as const };
  const isFlag = typesOf(property).includes('boolean');
  if (isFlag && attached === undefined && !/^(true|false)$/.test(rest[0] ?? ''))
    return { name, value: negated === undefined };
  const text = attached ?? rest.shift();
  if (text === undefined) throw usage(`--${name} needs a value.`);
  return { name, value: parseValue(text, property, name) };
}

function parseValue(text: string, schema: JsonSchema, name: string): unknown {
  const types = typesOf(schema);
  if (types.includes('string') || schema.enum?.includes(text)) return text;
  if (types.includes('array') && !text.trimStart().startsWith('[')) {
    return [parseValue(text, typeof schema.items === 'object' ? schema.items : {}, name)];
  }
  const value = parseJson(text, name);
  // An argument without a type accepts anything. Text that is not JSON is a string.
  if (value === undefined && types.length === 0) return text;
  if (value === undefined)
    throw usage(`--${name} takes ${types.join(' or ')} (as JSON), not ${JSON.stringify(text)}.`);
  return value;
}

function typesOf(schema: JsonSchema): string[] {
  const own = schema.type === undefined ? [] : [schema.type].flat();
  return [...own, ...(schema.anyOf ?? schema.oneOf ?? []).flatMap(typesOf)];
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

function parseObject(text: unknown): Arguments {
  const value = parseJson(String(text), 'input');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Arguments;
  throw usage(`--input takes a JSON object, not ${JSON.stringify(text)}.`);
}

function unknownArgument(name: string, { properties = {} }: JsonSchema): string {
  const names = Object.keys(properties).map((each) => `--${each}`);
  const takes = names.length > 0 ? `It takes ${names.join(', ')}.` : 'It takes none.';
  return `The tool has no argument --${name}. ${takes}`;
}

const usage = (message: string) => new CommandError(message, exitCodes.usage);
