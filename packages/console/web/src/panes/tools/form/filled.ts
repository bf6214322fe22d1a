import { isObject } from '../../../../../../json/src/base/json-values.js';
import { branchOf, partOf, propertiesOf, requiredOf, resolved, type Schema } from './part-of.js';

interface Filling {
  readonly root: unknown;
  /** Empty texts and zeros stand for what is required and not filled in. */
  readonly hasBlanks?: boolean;
}

/** The arguments that are sent: what a person has filled in, with what is required and has only one value. */
export function filled(schema: Schema, value: unknown): Record<string, unknown> {
  return (fill(schema, value, true, { root: schema }) ?? {}) as Record<string, unknown>;
}

/** The same with an empty value in each required place, to be changed as JSON. */
export function filledWithBlanks(schema: Schema, value: unknown): unknown {
  return fill(schema, value, true, { root: schema, hasBlanks: true }) ?? {};
}

/** What a form of a value has as soon as it is chosen, such as the constant by which it is known. */
export function started(schema: Schema, root: unknown): unknown {
  return fill(schema, undefined, true, { root }, 1);
}

/** A required schema that needs itself has no value. */
const MAX_DEPTH = 12;
const MOST_BLANKS = 3;

function fill(given: unknown, value: unknown, isRequired: boolean, filling: Filling, depth = 0): unknown {
  if (value === undefined && (!isRequired || depth > MAX_DEPTH)) return undefined;
  const { root, hasBlanks = false } = filling;
  const isWhole = depth === 0;
  const schema = isWhole
    ? { properties: {}, ...resolved(root, given), type: 'object' }
    : resolved(root, given);
  if (value === undefined && hasBlanks && 'default' in schema) return schema['default'];
  const part = partOf(schema, root);
  const inner = (each: unknown, own: unknown, isNeeded: boolean) =>
    fill(each, own, isNeeded, filling, depth + 1);
  switch (part.kind) {
    case 'const':
      return value === undefined ? part.value : value;
    case 'union':
      return inner(part.branches[branchOf(part.branches, value, root) ?? -1], value, isRequired);
    case 'object': {
      if (value !== undefined && !isObject(value)) return value;
      const required = requiredOf(schema);
      const own = propertiesOf(schema).map(([name, each]) => {
        const known = value && Object.hasOwn(value, name) ? value[name] : undefined;
        return [name, inner(each, known, required.includes(name))] as const;
      });
      const all = Object.fromEntries([...Object.entries(value ?? {}), ...own]);
      return Object.fromEntries(Object.entries(all).filter(([, each]) => each !== undefined));
    }
    case 'tuple': {
      if (value !== undefined && !Array.isArray(value)) return value;
      const known = (value ?? []) as unknown[];
      const places = hasBlanks || known.length > 0 ? part.places : [];
      const own = places.map((each, index) => inner(each, known[index], true));
      return [...own, ...known.slice(places.length)].slice(0, hasBlanks ? undefined : known.length);
    }
    case 'choices':
      return value ?? [];
    case 'list': {
      if (value !== undefined && !Array.isArray(value)) return value;
      const least = hasBlanks ? Math.min(Number(schema['minItems'] ?? 0), MOST_BLANKS) : 0;
      const known: unknown[] = value ?? Array.from({ length: least });
      return known.map((each) => inner(part.items, each, true)).filter((each) => each !== undefined);
    }
    default:
      if (value !== undefined) return value;
      // A person has nothing to type for an object of which nothing is known.
      if (part.kind === 'json' && schema['type'] === 'object') return {};
      return hasBlanks ? blankOf(part.kind, schema) : undefined;
  }
}

function blankOf(kind: string, schema: Schema): unknown {
  if (kind === 'text' || kind === 'bytes') return '';
  if (kind === 'boolean') return false;
  if (kind === 'number') return Math.max(Number(schema['minimum'] ?? 0), 0);
  if (kind === 'choice') return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[])[0] : undefined;
  return schema['type'] === 'array' ? [] : null;
}
