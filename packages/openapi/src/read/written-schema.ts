import { isHidden, isOfShape, shown } from './shape-values.js';
import { isObject } from './specification.js';

type WrittenSchema = Record<string, unknown>;

/** Notes values that are not what somebody sees who reads the document. */
export function noteValues(schema: WrittenSchema, place: string, notes: string[]): void {
  const { type, enum: values, const: only, default: initial, pattern, properties, required } = schema;
  // YAML reads `1.10` without quotes as a number, and the text has lost a digit.
  const others = type === 'string' && Array.isArray(values) ? values.filter(isNoText) : [];
  const open = others.some((value) => typeof value === 'number') ? ' Other texts are accepted, too.' : '';
  if (others.length > 0)
    notes.push(`${place}/enum has ${others.map(shown).join(', ')}, and each is read as a text of it.${open}`);
  // A copied name or value may have a mark that no editor shows.
  const all = [values, only, initial, pattern, Object.keys(properties ?? {}), required].flat();
  const hidden = [...new Set(all.filter(isHidden))];
  if (hidden.length > 0)
    notes.push(
      `${place} has ${hidden.slice(0, 3).map(shown).join(', ')} with invisible characters. No tool can show that, so it is left out.`,
    );
}

const isNoText = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';

/** Draft 3 of JSON Schema had `required: true` at a member, and draft 4 a list of `items`. Many documents still have them. */
export function asLatest(schema: WrittenSchema, place: string, notes: string[]): WrittenSchema {
  const { properties, required, items, ...rest } = schema;
  const isFlag = typeof required === 'boolean';
  const isTuple = Array.isArray(items) && items.length > 0 && items.every((each) => isOfShape(each, 'map'));
  if (isFlag && !/\/properties\/[^/]+$/.test(place))
    notes.push(`${place}/required is ${String(required)}, which says nothing here.`);
  const members = isOfShape(properties, 'map') ? Object.entries(properties as object) : [];
  const needed = members.flatMap(([name, value]) => (isRequired(value) ? [name] : []));
  if (needed.length > 0) notes.push(`${place}/properties: ${needed.join(', ')} say "required" themselves.`);
  if (isTuple) notes.push(`${place}/items is a list, and is read as "prefixItems".`);
  if (!isFlag && needed.length === 0 && !isTuple) return schema;
  const names = [...(Array.isArray(required) ? (required as unknown[]) : []), ...needed];
  return {
    ...rest,
    ...(properties !== undefined && { properties }),
    ...(items !== undefined && (isTuple ? { prefixItems: items } : { items })),
    ...(names.length > 0 && { required: names }),
  };
}

const isRequired = (value: unknown) => isObject(value) && (value as WrittenSchema)['required'] === true;
