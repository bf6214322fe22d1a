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
}

/** Follows domains to what they are made of, and lists to their items. */
export function kindOf(
  { typeId, type }: CatalogueColumn,
  types: ReadonlyMap<string, CatalogueType>,
): ColumnKind {
  const whole = behindDomain(typeId, types);
  const isList = type.endsWith('[]') && isArray(whole.type);
  if (isArray(whole.type) && !isList && whole.type?.name.endsWith('[]'))
    return { ...plain('json', type), isOwnType: true, isWritable: false, neverNull: whole.neverNull };
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

export const isUnreadable = ({ form }: Pick<ColumnKind, 'form'>) =>
  UNREADABLE.has(form.split('.').at(-1)!.replaceAll('"', ''));
