import { appendFileSync } from 'node:fs';

/**
 * A proof is a test file that can try more. In `pnpm check:all` it tries a sample, the same in each run. `pnpm proof` sets
 * PROOF_SIZE, and tries that many times as much, of other inputs in each run. The list is in apps/proof/run.mjs.
 */
export const size = Number(process.env.PROOF_SIZE ?? 1);

/** What a test tries of many like things: all of them in `pnpm proof`, and otherwise those that are chosen. */
export const sampleOf = <T>(all: readonly T[], isChosen: (each: T) => boolean): readonly T[] =>
  size === 1 ? all.filter(isChosen) : all;

/** Options of fast-check for a proof whose sample has this many runs. */
export const runs = (sample: number) => ({ numRuns: sample * size, ...(size === 1 && { seed: 20_261_124 }) });

/** Adds to a figure of docs/proofs.json, in `pnpm proof`. */
export function count(figure: string, value: number): void {
  const file = process.env.PROOF_FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ [figure]: value })}\n`);
}
