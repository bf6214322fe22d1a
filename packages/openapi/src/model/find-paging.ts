import type { Schema } from '../read/openapi-document.js';
import type { Specification } from '../read/specification.js';
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
  ...['next_cursor', 'nextCursor', 'next_page_token', 'nextPageToken', 'next_marker', 'continuation_token'],
  ...[
    'response_metadata.next_cursor',
    'meta.next_cursor',
    'paging.next.after',
    'pagination.next_cursor',
    'next_page.offset',
  ],
];

/**
 * How a list comes in pages, if its parameters and its answer say so in one of the usual ways.
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

function usualPaging(
  specification: Specification,
  parameters: readonly PlannedArgument[],
  answer: Schema,
): Paging | undefined {
  const whole = objectOf(specification, answer);
  const items = typesOf(whole).includes('array') ? undefined : listIn(specification, whole);
  if (items === null) return undefined;
  const queries = parameters.filter((each) => each.in === 'query' && isScalar(each));
  const find = (names: readonly string[]) =>
    names.find((name) => queries.some(({ apiName }) => apiName === name));
  const size = sizeOf(queries, find(SIZES));
  const has = (path: string) => hasPath(specification, whole, path);
  if (items === 'data' && find(['starting_after']) && has('has_more'))
    return { by: 'last-id', at: 'starting_after', size, items, next: 'has_more' };
  const cursor = find(CURSORS);
  const next = NEXT.find(has);
  if (cursor !== undefined && next !== undefined && items !== undefined)
    return { by: 'cursor', at: cursor, size, items, next };
  const page = find(PAGES);
  if (page !== undefined) return { by: 'page', at: page, size, items, next: undefined };
  const offset = find(OFFSETS);
  if (offset !== undefined && size) return { by: 'offset', at: offset, size, items, next: undefined };
  return undefined;
}

const isScalar = ({ schema }: PlannedArgument) =>
  schema.type !== 'array' && schema.type !== 'object' && !schema.$ref;

function sizeOf(queries: readonly PlannedArgument[], name: string | undefined): Paging['size'] {
  const found = queries.find(({ apiName }) => apiName === name);
  if (name === undefined || !found) return undefined;
  const { maximum, default: initial } = found.schema;
  // "Maximum 100" in the description is the only place where many say it.
  const [, stated] = /(?:max(?:imum)?\D{0,20}|up to )(\d{2,4})/i.exec(found.schema.description ?? '') ?? [];
  const most = Number(maximum ?? stated ?? (Number(initial) > 0 ? initial : 50));
  return { name, most: Math.min(Math.max(most, 1), 200) };
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

function hasPath(specification: Specification, whole: Schema, path: string): boolean {
  let at: Schema | undefined = whole;
  for (const step of path.split('.')) {
    const next: Schema | boolean | undefined = at && objectOf(specification, at).properties?.[step];
    if (typeof next !== 'object') return false;
    at = next;
  }
  return true;
}
