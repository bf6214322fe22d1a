import type { ServerProcess } from './server-process.js';

/** One figure against what it has to be. */
export interface Bar {
  figure: string;
  value: number;
  unit?: string;
  /** Undefined: told, not judged. */
  atMost?: number;
  atLeast?: number;
}

export interface Scenario {
  name: string;
  promise: string;
  /** @param quick much less of it: shows that it works, measures nothing */
  run(quick: boolean): Promise<Bar[]> | AsyncIterable<Bar[]>;
}

/** The figures of a scenario as they come: a long one that is stopped has shown what it measured. */
export async function* barsOf({ run }: Scenario, quick: boolean): AsyncIterable<Bar[]> {
  const bars = run(quick);
  if (Symbol.asyncIterator in bars) yield* bars;
  else yield await bars;
}

export function isMet({ value, atMost = Infinity, atLeast = -Infinity }: Bar): boolean {
  return value <= atMost && value >= atLeast;
}

export function describeBar(bar: Bar): string {
  const { figure, value, unit = '', atMost, atLeast } = bar;
  const bound = [atMost !== undefined && `at most ${atMost}`, atLeast !== undefined && `at least ${atLeast}`]
    .filter(Boolean)
    .join(', ');
  const shown = Number.isInteger(value) ? value : value.toFixed(2);
  const verdict = bound && `  (${bound}: ${isMet(bar) ? 'met' : 'MISSED'})`;
  return `  ${figure}: ${shown}${unit && ` ${unit}`}${verdict}`;
}

/** Runs with a server and stops it, whatever happens. */
export async function withServer<T>(
  starting: Promise<ServerProcess>,
  run: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const server = await starting;
  try {
    return await run(server);
  } finally {
    await server.stop();
  }
}
