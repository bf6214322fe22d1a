import { keepPreviousData, useMutation, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ConsoleMethod, ParamsOf, ResultOf } from '../../../src/api/console-api.js';

/**
 * Asks the server of the console.
 *
 * @throws {Error} with a message for the person, when the server refuses or cannot be reached
 */
export async function ask<M extends ConsoleMethod>(
  method: M,
  params: ParamsOf<M>,
  signal?: AbortSignal,
): Promise<ResultOf<M>> {
  const response = await fetch(`api/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
    ...(signal && { signal }),
  }).catch(() => {
    throw new Error('The console cannot be reached. Does "toolwright dev" still run?');
  });
  const answer = (await response.json().catch(() => ({}))) as ResultOf<M> & { message?: string };
  if (!response.ok) throw new Error(answer.message ?? `The console answered ${response.status}.`);
  return answer;
}

interface AskOptions<M extends ConsoleMethod> extends Pick<
  UseQueryOptions<ResultOf<M>>,
  'refetchInterval' | 'staleTime'
> {
  /**
   * Whether the last answer is shown until there is one to the new question. Only where both are about the same thing:
   * the data of one tool must never stand under the name of another.
   */
  readonly keepsLast?: boolean;
}

/** The answer to a question, kept until it is invalidated. `undefined` params: nothing is asked yet. */
export function useAsk<M extends ConsoleMethod>(
  method: M,
  params: ParamsOf<M> | undefined,
  { keepsLast = false, ...options }: AskOptions<M> = {},
) {
  return useQuery<ResultOf<M>>({
    queryKey: [method, params],
    queryFn: ({ signal }) => ask(method, params!, signal),
    enabled: params !== undefined,
    ...(keepsLast && { placeholderData: keepPreviousData }),
    ...options,
  });
}

/** A change that the person makes. */
export function useAct<M extends ConsoleMethod>(method: M) {
  return useMutation({ mutationFn: (params: ParamsOf<M>) => ask(method, params) });
}
