import type { Query, QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query';

/** Questions that will be asked once more, as soon as their first answer is there. */
const waiting = new WeakSet<Query>();

/**
 * Asks again, because something has changed. Data that is there stays until the new answer comes.
 *
 * A question may be on its way. TanStack begins it anew only if it has been answered before, and otherwise joins it. Its answer
 * may be older than the change, so such a question is asked once more when it has been answered.
 */
export function askAgain(queries: QueryClient, filters: QueryFilters = {}): void {
  const asked = queries.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
  void queries.invalidateQueries(filters);
  for (const query of asked) if (query.state.data === undefined) askAfter(queries, query);
}

function askAfter(queries: QueryClient, query: Query): void {
  if (waiting.has(query)) return;
  waiting.add(query);
  const again = () => {
    waiting.delete(query);
    void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
  };
  query.promise?.then(again, again);
}

/** Puts what the console tells in place of an answer. An answer on its way may be older, and does not replace it. */
export function replaceAnswer(queries: QueryClient, queryKey: QueryKey, answer: unknown): void {
  const isAsked = queries.isFetching({ queryKey, exact: true }) > 0;
  queries.setQueryData(queryKey, answer);
  // There is data now, so TanStack gives up the older question.
  if (isAsked) void queries.invalidateQueries({ queryKey, exact: true });
}
