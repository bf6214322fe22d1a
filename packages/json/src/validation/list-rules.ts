import type { JsonSchema } from '../schema/json-schema.js';
import {
  every,
  fail,
  forget,
  inside,
  knownToFit,
  type Place,
  type Rule,
  silently,
} from './validation-run.js';

type List = readonly unknown[];

/** Rules that check the items of a list, in the order in which problems are reported. */
export const ofItems: readonly (readonly [keyword: string, rule: Rule<List>])[] = [
  ['contains', containsEnough],
  ['prefixItems', beginsWith],
  ['items', goesOnWith],
];

/** Last, because it asks what all others have described. */
export const ofOtherItems: readonly (readonly [keyword: string, rule: Rule<List>])[] = [
  ['unevaluatedItems', hasNoOtherItems],
];

/** No report shows more of what is wrong with items, and recording it takes ten times as long as the check. */
const MOST_RECORDED = 20;

function containsEnough(items: List, schema: JsonSchema, place: Place): boolean {
  const { run, evaluated } = place;
  const {
    contains,
    minContains: min = 1,
    maxContains: max,
  } = schema as {
    contains: JsonSchema | boolean;
    minContains?: number;
    maxContains?: number;
  };
  if (max === undefined && min === 0 && !evaluated) return true;
  const before = run.problems?.length;
  let count = 0;
  const isPossible = max === undefined || min <= max;
  const silent = run.problems && silently(place);
  for (let index = 0; isPossible && index < items.length; index++) {
    const isEnough = run.problems && run.problems.length - before! >= MOST_RECORDED;
    const at = isEnough ? silent! : inside(place, ['contains'], index);
    if (!at.run.judge(items[index], contains, at)) continue;
    count++;
    evaluated?.addItem(index);
    // What nothing asks for is not checked.
    if (max === undefined ? count >= min && !evaluated : count > max) break;
  }
  if (isPossible && count >= min && (max === undefined || count <= max)) {
    forget(place, before);
    return true;
  }
  const most = max === undefined ? '' : ` and no more than ${max}`;
  const message = `must contain at least ${min}${most} valid item(s)`;
  const params = { minContains: min, ...(max !== undefined && { maxContains: max }) };
  return fail(place, { keyword: 'contains', params, message }, schema);
}

function beginsWith(items: List, schema: JsonSchema, place: Place): boolean {
  const { run, evaluated } = place;
  const prefix = schema.prefixItems!;
  evaluated?.addFirstItems(prefix.length);
  return every(prefix.slice(0, items.length).entries(), place, ([index, each]) =>
    run.judge(items[index], each, inside(place, ['prefixItems', index], index)),
  );
}

function goesOnWith(items: List, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  const { items: item, prefixItems } = schema;
  const first = prefixItems?.length ?? 0;
  place.evaluated?.addAllItems();
  if (item === true || item === undefined) return true;
  if (prefixItems && item === false) {
    const message = `must NOT have more than ${first} items`;
    return (
      items.length <= first || fail(place, { keyword: 'items', params: { limit: first }, message }, schema)
    );
  }
  const isRight = knownToFit(place, item);
  let fits = true;
  for (let index = first; index < items.length; index++) {
    if (isRight(items[index]) || run.judge(items[index], item, inside(place, ['items'], index))) continue;
    fits = false;
    if (!run.all) break;
  }
  return fits;
}

function hasNoOtherItems(items: List, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  const evaluated = place.evaluated!;
  const other = schema['unevaluatedItems'] as JsonSchema | boolean;
  const others = [...items.keys()].filter((index) => !evaluated.hasItem(index));
  evaluated.addAllItems();
  if (other === true || others.length === 0) return true;
  if (other === false) {
    const [first] = others as [number];
    // The items that `contains` has found may be anywhere.
    const isTail = others.length === items.length - first;
    const message = isTail
      ? `must NOT have more than ${first} items`
      : `must NOT have the item at position ${first}, which nothing describes`;
    return fail(place, { keyword: 'unevaluatedItems', params: { limit: first }, message }, schema);
  }
  const isRight = knownToFit(place, other);
  return every(
    others,
    place,
    (index) =>
      isRight(items[index]) || run.judge(items[index], other, inside(place, ['unevaluatedItems'], index)),
  );
}
