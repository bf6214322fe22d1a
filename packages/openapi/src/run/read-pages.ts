import type { ApiRequest } from './api-request.js';
import type { ApiAnswer } from './read-answer.js';

/** How an API divides a list into pages. */
export interface ApiPages {
  readonly by: 'page' | 'offset' | 'cursor' | 'last-id';
  /** The query parameter that says which page. */
  readonly at: string;
  /** The query parameter that says how many items a page has, and the largest number of them. */
  readonly size?: { readonly name: string; readonly most: number };
  /** The member of an answer that has the items. Without it the answer is the list. */
  readonly items?: string;
  /** The member with the next cursor, as `meta.next`, or the one that says whether there is more. */
  readonly next?: string;
  /** How many items at most. */
  readonly limit: number;
}

/** An API that says "more" for ever is left after this many pages. */
const MOST_PAGES = 50;

/**
 * Reads pages until there are enough items, or no more.
 *
 * @param ask sends one request
 */
export async function readPages(
  request: ApiRequest,
  pages: ApiPages,
  ask: (request: ApiRequest) => Promise<ApiAnswer>,
): Promise<unknown[]> {
  const found: unknown[] = [];
  let at: string | number | undefined;
  for (let page = 1; page <= MOST_PAGES && found.length < pages.limit; page += 1) {
    const size = pages.size && Math.min(pages.size.most, pages.limit);
    const query = {
      ...request.query,
      ...(pages.size && { [pages.size.name]: size }),
      ...(at !== undefined && { [pages.at]: at }),
    };
    const answer = await ask({ ...request, query });
    const items = itemsIn(answer.value, pages.items);
    found.push(...items);
    at = nextOf(answer, items, { pages, page, count: found.length, size });
    if (at === undefined) break;
  }
  return found.slice(0, pages.limit);
}

function itemsIn(value: unknown, member: string | undefined): unknown[] {
  const list = member === undefined ? value : at(value, member);
  return Array.isArray(list) ? list : [];
}

function nextOf(
  { value, headers }: ApiAnswer,
  items: readonly unknown[],
  { pages, page, count, size }: { pages: ApiPages; page: number; count: number; size: number | undefined },
): string | number | undefined {
  if (items.length === 0) return undefined;
  const { by, next } = pages;
  if (by === 'cursor') {
    const cursor = at(value, next ?? '');
    return typeof cursor === 'string' || typeof cursor === 'number' ? cursor || undefined : undefined;
  }
  if (by === 'last-id') {
    const last = (items.at(-1) as { id?: string } | undefined)?.id;
    return at(value, next ?? '') === true ? last : undefined;
  }
  // The header Link (RFC 8288) knows better than the number of items.
  const link = headers.get('link');
  const isLast = link === null ? size === undefined || items.length < size : !/rel="?next"?/.test(link);
  if (isLast) return undefined;
  return by === 'page' ? page + 1 : count;
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((found, step) => (found as Record<string, unknown> | undefined)?.[step], value);
}
