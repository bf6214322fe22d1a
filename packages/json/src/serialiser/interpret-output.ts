import {
  anyText,
  booleanOf,
  hasEqual,
  hasOthers,
  isData,
  isPlain,
  itemsOf,
  nested,
  numberOf,
  objectOf,
  ownValue,
  quote,
  quoteName,
  settle,
  stringOf,
  unsure,
  writeJson,
} from './json-text.js';
import { jsonTypeOf } from '../base/json-values.js';
import { exactNumberText } from '../numbers/exact-number-text.js';
import type {
  AlternativesNode,
  ArrayNode,
  ConstNode,
  NumberNode,
  ObjectNode,
  OutputNode,
  StringNode,
  TaggedNode,
  TupleNode,
  TypesNode,
  Write,
} from './output-node.js';

/**
 * Creates a writer of an output schema: a function for each node. Most of the time goes into joining texts and into calls that V8
 * cannot foresee, so lists and objects add to one text, and members of the usual kinds are written without a call.
 */
export function interpretOutput(node: OutputNode): Write {
  switch (node.kind) {
    case 'any':
      return anyText;
    case 'null':
      return (value) => (value === null ? 'null' : unsure());
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? String(value) : booleanOf(value));
    case 'number':
      return (value) => writeNumber(value, node);
    case 'string':
      return (value) => writeString(value, node);
    case 'const':
      return (value) => writeConst(value, node);
    case 'array':
      return interpretArray(node);
    case 'tuple':
      return interpretTuple(node);
    case 'object':
      return interpretObject(node);
    case 'types':
      return interpretTypes(node);
    case 'tagged':
      return interpretTagged(node);
    case 'alternatives':
      return interpretAlternatives(node);
    case 'reference':
      return (value) => nested(node.writer, value);
    case 'exact':
      return node.write;
  }
}

function writeNumber(value: unknown, { isInteger, fits }: NumberNode): string {
  const number = typeof value === 'number' && Number.isFinite(value) ? value : numberOf(value);
  return (!isInteger || Number.isInteger(number)) && (!fits || fits(number))
    ? exactNumberText(number)
    : unsure();
}

function writeString(value: unknown, { fits, isDate }: StringNode): string {
  if (typeof value === 'string') return !fits || fits(value) ? quote(value) : unsure();
  const text = stringOf(value);
  // A year with more than four digits is left to the validator.
  if (isDate && value instanceof Date && text.length === 24) return quote(text);
  return !fits || fits(text) ? quote(text) : unsure();
}

function writeConst(value: unknown, { texts }: ConstNode): string {
  return texts.get(value) ?? texts.get(settle(value)) ?? unsure();
}

function interpretArray({ items, least, most, isUnique }: ArrayNode): Write {
  const write = interpretOutput(items);
  return (value) => {
    const list = Array.isArray(value) ? (value as unknown[]) : itemsOf(value);
    if (list.length < least || list.length > most) return unsure();
    if (isUnique) {
      const texts = Array.from(list, (item) => write(orNull(item)));
      return hasEqual(texts) ? unsure() : `[${texts.join()}]`;
    }
    let text = '[';
    for (let index = 0; index < list.length; index++) {
      if (index > 0) text += ',';
      text += write(orNull(list[index]));
    }
    return text + ']';
  };
}

/** JSON has no undefined, so an item without a value is null. */
function orNull(item: unknown): unknown {
  return item === undefined ? null : item;
}

function interpretTuple({ first, rest, least, most }: TupleNode): Write {
  const writes = first.map(interpretOutput);
  const others = rest && interpretOutput(rest);
  return (value) => {
    const list = Array.isArray(value) ? (value as unknown[]) : itemsOf(value);
    if (list.length < least || list.length > most) return unsure();
    const texts = Array.from(list, (item, index) => (writes[index] ?? others ?? unsure())(orNull(item)));
    return `[${texts.join()}]`;
  };
}

function interpretObject({ members, names, others }: ObjectNode): Write {
  const known = new WeakMap<object, boolean>();
  const parts = members.map(({ name, node, isRequired }) => ({
    name,
    isRequired,
    isInherited: name in Object.prototype,
    starts: [`${writeJson(name)}:`, `,${writeJson(name)}:`] as const,
    plain: plainKind(node),
    write: interpretOutput(node),
  }));
  const writeOther = typeof others === 'object' ? interpretOutput(others) : undefined;
  return (value) => {
    const object = isPlain(value) ? value : objectOf(value, names, known);
    let text = '';
    for (const { name, isRequired, isInherited, starts, plain, write } of parts) {
      const part = isInherited ? ownValue(object, name) : valueOf(object, name);
      if (part === undefined && !isRequired) continue;
      text += starts[text === '' ? 0 : 1];
      if (plain === 'string' && typeof part === 'string') text += quote(part);
      else if (plain === 'number' && typeof part === 'number' && (part | 0) === part) text += part;
      else if (plain === 'boolean' && typeof part === 'boolean') text += part;
      else text += write(part);
    }
    if (others === 'refuse' && hasOthers(object, names)) return unsure();
    if (writeOther)
      for (const other of otherTexts(object, names, writeOther)) text += text === '' ? other : `,${other}`;
    return `{${text}}`;
  };
}

/** The kinds whose usual values need no further look. */
function plainKind(node: OutputNode): 'string' | 'number' | 'boolean' | undefined {
  if (node.kind === 'boolean') return node.kind;
  return (node.kind === 'string' || node.kind === 'number') && !node.fits ? node.kind : undefined;
}

function valueOf(object: object, name: string): unknown {
  return (object as Record<string, unknown>)[name];
}

/** Properties without a name in the schema. */
function otherTexts(object: object, names: ReadonlySet<string>, write: Write): string[] {
  const texts: string[] = [];
  for (const key of Object.keys(object)) {
    if (names.has(key)) continue;
    const part = (object as Record<string, unknown>)[key];
    if (isData(part)) texts.push(`${quoteName(key)}:${write(part)}`);
  }
  return texts;
}

function interpretTypes({ byType }: TypesNode): Write {
  const writes = new Map(Object.entries(byType).map(([type, node]) => [type, interpretOutput(node)]));
  return (value) => {
    const settled = isPlain(value) ? value : settle(value);
    return (writes.get(jsonTypeOf(settled)) ?? unsure())(settled);
  };
}

function interpretTagged({ property, byTag, otherwise }: TaggedNode): Write {
  const writes = new Map([...byTag].map(([tag, node]) => [tag, interpretOutput(node)]));
  const other = otherwise && interpretOutput(otherwise);
  return (value) => {
    const settled = isPlain(value) ? value : settle(value);
    const tag = tagOf(settled, property);
    return (writes.get(tag) ?? (isSettled(tag) ? other : undefined) ?? unsure())(settled);
  };
}

/** Whether a value is already in its JSON form. */
function isSettled(tag: unknown): boolean {
  return tag === undefined || tag === null || Number.isFinite(tag) || /^(string|boolean)$/.test(typeof tag);
}

function tagOf(value: unknown, property: string): unknown {
  return typeof value === 'object' && value !== null ? valueOf(value, property) : unsure();
}

function interpretAlternatives({ options }: AlternativesNode): Write {
  const writes = options.map(interpretOutput);
  return (value) => {
    for (const write of writes) {
      try {
        return write(value);
      } catch {
        // Another alternative may match.
      }
    }
    return unsure();
  };
}
