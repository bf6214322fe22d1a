import type { CatalogueColumn, CatalogueType } from '../catalogue/catalogue.js';
import { itemType, kindOfType, type ValueKind } from '../run/database-table.js';

/** What the types of a catalogue say about the values of a column. */
export interface ColumnKind {
  readonly kind: ValueKind;
  readonly isList: boolean;
  readonly isOwnType: boolean;
  readonly values: readonly string[] | undefined;
  readonly form: string;
  /** Callers may write it as one value: rows in a column, and lists behind another name, have no form for that. */
  readonly isWritable: boolean;
  readonly neverNull: boolean;
  /** Why callers cannot have its values. */
  readonly unreadable: string | undefined;
}

/** Follows domains to what they are made of, and lists to their items. */
export function kindOf(
  { typeId, type, dimensions }: CatalogueColumn,
  types: ReadonlyMap<string, CatalogueType>,
): ColumnKind {
  const whole = behindDomain(typeId, types);
  const isList = type.endsWith('[]') && isArray(whole.type);
  if (isArray(whole.type) && !isList && whole.type?.name.endsWith('[]'))
    return {
      ...plain('json', type),
      isOwnType: true,
      isWritable: false,
      neverNull: whole.neverNull,
      unreadable: reasonOf(behindDomain(whole.type.item, types).type?.name ?? type, true),
    };
  const inner = isList ? behindDomain(whole.type!.item, types) : whole;
  const form = inner.type?.name ?? itemType(type);
  const kind = inner.type?.kind === 'c' ? 'json' : kindOfType(form);
  return {
    kind,
    isList,
    isOwnType: kind !== kindOfType(itemType(type)),
    values: inner.type?.labels ?? undefined,
    form,
    isWritable: inner.type?.kind !== 'c',
    neverNull: whole.neverNull,
    unreadable: dimensions > 1 ? 'lists of lists' : reasonOf(form, isList),
  };
}

const plain = (kind: ValueKind, form: string) => ({ kind, form, isList: false, values: undefined });

const isArray = (type: CatalogueType | undefined) => type !== undefined && type.item !== '0';

function behindDomain(
  id: string,
  types: ReadonlyMap<string, CatalogueType>,
): { type: CatalogueType | undefined; neverNull: boolean } {
  let type = types.get(id);
  let neverNull = false;
  while (type?.kind === 'd') {
    neverNull ||= type.notNull;
    type = types.get(type.base);
  }
  return { type, neverNull };
}

/** Types whose values say nothing to a model, and are long: indexes of words, and numbers of another model. */
const UNREADABLE = new Set([
  'tsvector',
  'tsquery',
  'vector',
  'halfvec',
  'sparsevec',
  'pg_ndistinct',
  'gtsvector',
]);

/** In a list of bytes, JSON has no base64. The items of a list of boxes are not divided by commas. */
const UNREADABLE_ITEMS = new Set(['bytea', 'box']);

function reasonOf(form: string, isList: boolean): string | undefined {
  if (UNREADABLE.has(form.split('.').at(-1)!.replaceAll('"', ''))) return form;
  return isList && UNREADABLE_ITEMS.has(form) ? `a list of ${form}` : undefined;
}
