import { apiError } from './api-errors.js';
import type { ApiRequest } from './api-request.js';
import { nameOf } from './build-request.js';
import type { ApiAnswer } from './read-answer.js';

/** How an API divides a list into pages. */
export interface ApiPages {
  readonly by: 'page' | 'offset' | 'cursor' | 'last-id';
  /** The query parameter that says which page. */
  readonly at: string;
  /** The query parameter that says how many items a page has, and the largest and the smallest number of them. */
  readonly size?: { readonly name: string; readonly most: number; readonly least?: number };
  /** The member of an answer that has the items. Without it the answer is the list. */
  readonly items?: string;
  /** The member with the next cursor, as `meta.next`, or the one that says whether there is more. */
  readonly next?: string;
  /**
   * The first page or offset, which the first request then says. Without it the first request says nothing. Offsets are
   * counted from 0 then, and the second request finds out whether pages are counted from 0 or 1.
   */
  readonly first?: number;
  /** How many items at most. */
  readonly limit: number;
}

/** The largest number of requests for one call. A list that goes on after them has very small pages, or has no end. */
const MOST_PAGES = 50;

/**
 * Reads pages until there are enough items, or no more. A page with fewer items than were asked for may be the last one, or
 * the API gives fewer at a time. So only an answer that says so is the last, or an empty page.
 *
 * @param ask sends one request
 * @throws {ToolError} if there is more that cannot be read: a part of a list would look like all of it
 */
export async function readPages(
  request: ApiRequest,
  pages: ApiPages,
  ask: (request: ApiRequest) => Promise<ApiAnswer>,
): Promise<ReadList> {
  const found: unknown[] = [];
  let more: ReadList['more'] = 'none';
  const size = pages.size && Math.max(pages.size.least ?? 1, Math.min(pages.size.most, pages.limit));
  const hasCursor = pages.by === 'cursor' || pages.by === 'last-id';
  let [at, wasShort, before]: [string | number | undefined, boolean, string] = [pages.first, false, ''];
  for (let page = 1; found.length < pages.limit; page += 1) {
    if (page > MOST_PAGES) throw withMore(request, found.length, `in ${MOST_PAGES} pages`);
    const query = {
      ...request.query,
      ...(pages.size && { [pages.size.name]: size }),
      ...(at !== undefined && { [pages.at]: at }),
    };
    const answer = await ask({ ...request, query }).catch((error: unknown) => {
      // Many APIs refuse a page behind the last one.
      if (wasShort && !hasCursor && isRefusal(error)) return undefined;
      throw error;
    });
    if (!answer) break;
    const items = itemsIn(answer.value, pages.items);
    const text = JSON.stringify(items);
    // The first request got the first page without a number, so page 1 may be the same one.
    const isProbe = pages.by === 'page' && pages.first === undefined && at === 1;
    const isRepeated = text === before && (isProbe || !mayRepeat(items));
    before = text;
    if (!hasCursor && isRepeated) {
      // Otherwise the API does not know the parameter.
      if (!isProbe) break;
      at = 2;
      continue;
    }
    wasShort = size === undefined || items.length < size;
    const next = nextOf(answer, items, { pages, asked: at, count: found.length + items.length });
    const isStuck = next === LOST || (hasCursor && next === at && isRepeated && items.length > 0);
    if (!isStuck || !isRepeated) found.push(...items);
    if (isStuck && found.length < pages.limit)
      throw withMore(request, found.length, 'and does not say where it goes on');
    // A cursor that leads to itself is that of the end.
    const isEnd = next === undefined || (hasCursor && next === at);
    if (found.length > pages.limit || next === LOST) more = 'certain';
    else if (found.length === pages.limit && !isEnd)
      more = hasCursor || hasLink(answer) ? 'certain' : 'possible';
    if (isEnd || next === LOST) break;
    at = next!;
  }
  return { items: found.slice(0, pages.limit), more };
}

export interface ReadList {
  readonly items: unknown[];
  /** Whether the list goes on behind the limit, as far as its pages say it. */
  readonly more: 'none' | 'possible' | 'certain';
}

/** States and readings are the same again and again: a page that has one twice may be like the page before. */
function mayRepeat(items: readonly unknown[]): boolean {
  const [first, ...others] = items;
  if (others.length === 0) return first !== undefined && typeof first !== 'object';
  return new Set(items.map((each) => JSON.stringify(each))).size < items.length;
}

/** The API says that there is more, and not where. */
const LOST = Symbol('lost');

/** A text that says what the caller can do. With fewer items the same pages are read, and the result is what was asked for. */
function withMore(request: ApiRequest, count: number, how: string) {
  const advice = count > 0 ? `Ask for at most ${count} items, or for` : 'Ask for';
  return apiError(
    'TW_OPENAPI_RESPONSE',
    `${nameOf(request)} gave ${count} items ${how}, and there are more. ${advice} a part of the list with other arguments.`,
  );
}

/** Answers that are about the request, and neither about its caller nor about the time. */
const isRefusal = (error: unknown) =>
  [400, 404, 416, 422].includes(Number((error as { meta?: { status?: unknown } }).meta?.status));

function itemsIn(value: unknown, member: string | undefined): unknown[] {
  const list = member === undefined ? value : at(value, member);
  return Array.isArray(list) ? list : [];
}

function nextOf(
  { value, headers }: ApiAnswer,
  items: readonly unknown[],
  { pages, asked, count }: { pages: ApiPages; asked: string | number | undefined; count: number },
): string | number | typeof LOST | undefined {
  const { by, next, first } = pages;
  if (by === 'cursor') {
    if (saysLast(value)) return undefined;
    // A page may be empty and have a cursor: some APIs filter what they have read.
    const cursor = at(value, next ?? '');
    return typeof cursor === 'string' || typeof cursor === 'number' ? cursor || undefined : undefined;
  }
  if (by === 'last-id') {
    const last = (items.at(-1) as { id?: string | number } | undefined)?.id;
    return at(value, next ?? '') === true ? (last ?? LOST) : undefined;
  }
  if (items.length === 0) return undefined;
  // The header Link (RFC 8288) knows better than the items.
  const link = headers.get('link');
  if (link !== null) {
    const stated = nextInLink(link, pages.at);
    if (stated === undefined || stated > 0) return stated;
  } else if (saysLast(value)) return undefined;
  if (by === 'offset') return (first ?? 0) + count;
  return typeof asked === 'number' ? asked + 1 : 1;
}

const hasLink = ({ headers }: ApiAnswer) => headers.get('link') !== null;

/** The page or offset of the next link; undefined without such a link, and 0 if it does not say it as a number. */
function nextInLink(link: string, name: string): number | undefined {
  const next = link.split(/,\s*(?=<)/).find((each) => /;\s*rel="?next"?/i.test(each));
  if (next === undefined) return undefined;
  const [, query = ''] = /^[^?]*\?([^>]*)>/.exec(next) ?? [];
  return Number(new URLSearchParams(query).get(name)) || 0;
}

const MORE = ['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage'];
const LAST = ['isLast', 'is_last', 'last'];

/** Whether an answer says that nothing comes after it. */
function saysLast(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const all = value as Record<string, unknown>;
  return (
    MORE.some((name) => all[name] === false) ||
    LAST.some((name) => all[name] === true) ||
    all['next'] === null
  );
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((found, step) => (found as Record<string, unknown> | undefined)?.[step], value);
}
