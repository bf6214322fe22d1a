import type { Revival } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import type { SchemaGenerator } from '../generator/schema-generator.js';
import { type SpecialType, classifyType, isLibraryType } from '../types/classify-type.js';
import type { SchemaRole } from '../types/members.js';
import { isUnsendable } from '../types/unsendable.js';
import { taggedDefaults } from './tagged-defaults.js';

/**
 * A type that grows without end reaches new types for ever. The schema has already refused it. Real packages
 * have a few thousand types, and few of them are far from the root.
 */
const MOST_TYPES = 50_000;
const MOST_LEVELS = 500;

/** Finds the types that contain anything that is more than JSON, at any depth. Each type is visited once. */
export class NeedyTypes {
  private readonly known: Record<SchemaRole, Map<ts.Type, boolean>> = { input: new Map(), output: new Map() };

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly generator: SchemaGenerator,
    private readonly isClass: (type: ts.Type, role: SchemaRole) => boolean,
  ) {}

  has(type: ts.Type, role: SchemaRole): boolean {
    const known = this.known[role].get(type);
    return known ?? this.explore(type, role);
  }

  /** Visits all types that can be reached, and goes back from those with a need to all that contain them. */
  private explore(root: ts.Type, role: SchemaRole): boolean {
    const known = this.known[role];
    const containers = new Map<ts.Type, ts.Type[]>([[root, []]]);
    const levels = new Map<ts.Type, number>([[root, 0]]);
    const needy: ts.Type[] = [];
    for (const type of containers.keys()) {
      const level = levels.get(type)!;
      const isTooFar = level > MOST_LEVELS || containers.size > MOST_TYPES;
      const parts = known.get(type) ?? (isTooFar ? [] : this.partsOf(type, role));
      if (parts === true) needy.push(type);
      if (typeof parts === 'boolean') continue;
      for (const each of parts) {
        const part = this.generator.shared.canonical(each);
        const found = containers.get(part);
        if (found) found.push(type);
        else {
          containers.set(part, [type]);
          levels.set(part, level + 1);
        }
      }
    }
    const marked = new Set(needy);
    for (const type of marked) for (const container of containers.get(type)!) marked.add(container);
    for (const type of containers.keys()) known.set(type, marked.has(type));
    return marked.has(root);
  }

  /** The types that a type directly contains; `true` if it is itself more than JSON. */
  private partsOf(type: ts.Type, role: SchemaRole): true | readonly ts.Type[] {
    if (role === 'input' && isUnsendable(type, this.checker)) return [];
    const special = specialOf(type, role, this.checker);
    if (special) return partsOfSpecial(special);
    if (type.isUnion()) return type.types;
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return [];
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type))
      return this.checker.getTypeArguments(type as ts.TypeReference);
    if (this.isClass(type, role)) return true;
    if (role === 'input' && taggedDefaults(type, this.generator)) return true;
    return [
      ...this.generator.properties.of(type, role).map(({ symbol }) => this.checker.getTypeOfSymbol(symbol)),
      ...this.checker.getIndexInfosOfType(type).map((info) => info.type),
    ];
  }
}

/** What is special about a type. A class with `toJSON` converts itself, so nothing is left to do. */
export function specialOf(type: ts.Type, role: SchemaRole, checker: ts.TypeChecker): SpecialType | undefined {
  const special = classifyType(type, checker);
  if (special || role === 'input' || !(type.flags & ts.TypeFlags.Object)) return special;
  return type.getProperty('toJSON') && !isLibraryType(type) ? { kind: 'any' } : undefined;
}

function partsOfSpecial(special: SpecialType): true | readonly ts.Type[] {
  switch (special.kind) {
    case 'date':
    case 'bigint':
    case 'url':
    case 'bytes':
    case 'set':
    case 'map':
      return true;
    case 'list':
    case 'iterable':
      return special.item ? [special.item] : [];
    case 'same':
      return [special.as];
    case 'parameter':
      return special.constraint ? [special.constraint] : [];
    default:
      return [];
  }
}

/** The more specific form is tried first: a date is also a string, and a bigint is also a number. */
const ORDER = [
  'date',
  'url',
  'bytes',
  'set',
  'map',
  'array',
  'tuple',
  'object',
  'ref',
  'union',
  undefined,
  'bigint',
];

/** The position of a union member among the alternatives. */
export function unionOrder(revival: Revival | undefined): number {
  return ORDER.indexOf(revival?.kind);
}
