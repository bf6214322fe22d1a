import type { Schema } from '../read/openapi-document.js';
import type { Specification } from '../read/specification.js';
import { isLongArgument } from './long-integers.js';
import { LIMIT, type Paging, type PlannedArgument } from './planned-operation.js';
import { mergeAllOf, typesOf } from './schema-facts.js';

const SIZES = [
  'per_page',
  'page_size',
  'pageSize',
  'pagelen',
  'maxResults',
  'max_results',
  'limit',
  'count',
  'size',
  'perPage',
];
const PAGES = ['page', 'page_number', 'pageNumber'];
const OFFSETS = ['offset', 'startAt', 'start_at', 'skip'];
const CURSORS = [
  'cursor',
  'start_cursor',
  'page_token',
  'pageToken',
  'next_page_token',
  'continuation_token',
  'after',
  'marker',
];
const NEXT = [
  'next_cursor',
  'nextCursor',
  'next_page_token',
  'nextPageToken',
  'next_marker',
  'continuation_token',
  'response_metadata.next_cursor',
  'meta.next_cursor',
  'paging.next.after',
  'pagination.next_cursor',
  'next_page.offset',
  'next_page',
];

/**
 * How a list comes in pages, if its parameters and its answer show it. A name alone shows nothing: `page` may be a slug, and
 * `size` a size of shirts. A wrong guess would lose items without a word, so without evidence the caller gets the parameters
 * as they are.
 *
 * @param answer the schema of the answer
 */
export function findPaging(
  specification: Specification,
  parameters: readonly PlannedArgument[],
  answer: Schema | undefined,
): Paging | undefined {
  const found = answer && usualPaging(specification, parameters, answer);
  // Another argument may have the name that ours would have.
  const isTaken = parameters.some(
    ({ name, apiName }) => name === LIMIT.name && apiName !== found?.at && apiName !== found?.size?.name,
  );
  return isTaken ? undefined : found;
}

/** The parameters with a name of pages that stay arguments, because nothing shows what they mean. */
export const likePages = (parameters: readonly PlannedArgument[]): string[] =>
  parameters
    .filter((each) => each.in === 'query' && [...PAGES, ...OFFSETS].includes(each.apiName))
    .map(({ apiName }) => apiName);

function usualPaging(
  specification: Specification,
  parameters: readonly PlannedArgument[],
  answer: Schema,
): Paging | undefined {
  const whole = objectOf(specification, answer);
  const items = typesOf(whole).includes('array') ? undefined : listIn(specification, whole);
  if (items === null) return undefined;
  const queries = parameters.filter((each) => each.in === 'query');
  const find = (names: readonly string[], fits: (each: PlannedArgument) => boolean) =>
    queries.find((each) => names.includes(each.apiName) && fits(each));
  // Not every limit is a multiple.
  const size = sizeOf(find(SIZES, (each) => isWhole(each) && each.schema['multipleOf'] === undefined));
  const typeOf = (path: string) => typeAt(specification, whole, path);
  const list = { size, items, next: undefined };

  const after = find(['starting_after'], (each) => isText(each) && !each.required);
  if (items === 'data' && after && typeOf('has_more') === 'boolean')
    return {
      ...list,
      by: 'last-id',
      at: after.apiName,
      next: 'has_more',
      evidence: 'has_more in the answer',
    };

  const next = items === undefined ? undefined : NEXT.find((path) => isCursor(typeOf(path)));
  // A page or an offset that is a text is what an answer gave before.
  const cursor =
    next === undefined
      ? undefined
      : (find(CURSORS, (each) => (isText(each) || isWhole(each)) && !each.required) ??
        find([...PAGES, ...OFFSETS], (each) => isText(each) && !each.required));
  if (cursor) return { ...list, by: 'cursor', at: cursor.apiName, next, evidence: `${next} in the answer` };

  const page = find(PAGES, isWhole);
  const first = page && firstPage(page);
  if (page && first && (size || first.first !== undefined || ABOUT_PAGES.test(page.schema.description ?? '')))
    return { ...list, by: 'page', at: page.apiName, ...first };
  const offset = find(OFFSETS, isWhole);
  return offset && size && { ...list, by: 'offset', at: offset.apiName, ...firstOffset(offset) };
}

const isWhole = ({ schema }: PlannedArgument) =>
  schema.type === 'integer' || schema.type === 'number' || isLongArgument(schema);
const isText = ({ schema }: PlannedArgument) => schema.type === 'string' && schema.enum === undefined;
const isCursor = (type: string | undefined) => type === 'string' || type === 'integer' || type === 'number';

const ABOUT_PAGES = /\bpages?\b|paginat/i;
const FROM_ZERO =
  /\b(?:zero|0)[- ](?:based|indexed)|\b(?:starts?|starting|begins?) (?:at|from|with) (?:0|zero)\b|first page is (?:0|zero)\b/i;
const FROM_ONE =
  /\b(?:one|1)[- ](?:based|indexed)|\b(?:starts?|starting|begins?) (?:at|from|with) (?:1|one)\b|first page is (?:1|one)\b/i;

/**
 * The number of the first page. Some count from 0, and then a guess of 1 would lose a page. Where nothing says it, the client
 * finds out, unless the first request has to say it.
 */
function firstPage({ schema, required }: PlannedArgument): Pick<Paging, 'first' | 'evidence'> | undefined {
  const { default: initial, description = '', minimum: least } = schema;
  if (initial === 0 || initial === 1) return { first: initial, evidence: `default ${initial}` };
  if (FROM_ZERO.test(description)) return { first: 0, evidence: 'its description begins at 0' };
  if (FROM_ONE.test(description)) return { first: 1, evidence: 'its description begins at 1' };
  if (least === 1) return { first: 1, evidence: 'minimum 1' };
  return required ? undefined : { first: undefined, evidence: 'a number beside a list' };
}

/** Offsets count items, so a wrong beginning repeats an item and loses none. */
function firstOffset({ schema, required }: PlannedArgument): Pick<Paging, 'first' | 'evidence'> {
  const initial = typeof schema.default === 'number' ? schema.default : schema['minimum'] === 1 ? 1 : 0;
  return { first: initial === 0 && !required ? undefined : initial, evidence: 'a number beside a size' };
}

function sizeOf(found: PlannedArgument | undefined): Paging['size'] {
  if (!found) return undefined;
  const { schema, apiName: name } = found;
  const { default: initial, description = '' } = schema;
  // "Maximum 100" in the description is the only place where many say it.
  const [, stated] = /(?:max(?:imum)?\D{0,20}|up to )(\d{2,4})/i.exec(description) ?? [];
  const usual = Number(stated ?? (Number(initial) > 0 ? initial : 50));
  const bound = (keyword: string, beside: number) => {
    const value = schema[keyword as 'minimum'];
    return typeof value === 'number' ? [value + beside] : [];
  };
  const highest = [...bound('maximum', 0), ...bound('exclusiveMaximum', -1)];
  const least = Math.max(1, ...bound('minimum', 0), ...bound('exclusiveMinimum', 1));
  const most = Math.max(least, Math.min(...(highest.length > 0 ? highest : [usual]), 200));
  return { name, most, ...(least > 1 && { least }) };
}

function objectOf(specification: Specification, schema: Schema): Schema {
  return mergeAllOf(specification, specification.resolve<Schema>(schema).value);
}

/** The name of the only list of objects; null if there is no such list, or more than one. */
function listIn(specification: Specification, whole: Schema): string | null {
  const lists = Object.entries(whole.properties ?? {}).filter(([, each]) => {
    if (typeof each !== 'object') return false;
    const { items, ...list } = objectOf(specification, each);
    if (
      !typesOf({ ...list, ...(items !== undefined && { items }) }).includes('array') ||
      typeof items !== 'object'
    )
      return false;
    return typesOf(objectOf(specification, items)).includes('object');
  });
  return lists.length === 1 ? lists[0]![0] : null;
}

/** The type of a member of the answer, such as `meta.next`; undefined if there is none. */
function typeAt(specification: Specification, whole: Schema, path: string): string | undefined {
  let at: Schema | undefined = whole;
  for (const step of path.split('.')) {
    const { properties = {} }: Schema = objectOf(specification, at!);
    const next: Schema | boolean | undefined = Object.hasOwn(properties, step) ? properties[step] : undefined;
    if (typeof next !== 'object') return undefined;
    at = next;
  }
  return typesOf(objectOf(specification, at!))[0];
}
