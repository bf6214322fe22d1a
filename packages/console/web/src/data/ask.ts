import { useMutation, useQuery, type UseQueryOptions } from '@tanstack/react-query';
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

/** The answer to a question, kept until it is invalidated. `undefined` params: nothing is asked yet. */
export function useAsk<M extends ConsoleMethod>(
  method: M,
  params: ParamsOf<M> | undefined,
  options: Pick<UseQueryOptions<ResultOf<M>>, 'refetchInterval' | 'staleTime'> = {},
) {
  return useQuery<ResultOf<M>>({
    queryKey: [method, params],
    queryFn: ({ signal }) => ask(method, params!, signal),
    enabled: params !== undefined,
    placeholderData: (previous) => previous,
    ...options,
  });
}

/** A change that the person makes. */
export function useAct<M extends ConsoleMethod>(method: M) {
  return useMutation({ mutationFn: (params: ParamsOf<M>) => ask(method, params) });
}
