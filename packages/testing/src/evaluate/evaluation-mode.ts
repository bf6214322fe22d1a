import { relative, sep } from 'node:path';

/**
 * What a run may ask a model. `auto`: each case without a recording that counts. `replay`: nothing. `all`: each
 * case again.
 */
export type EvaluationMode = 'auto' | 'replay' | 'all';

/** Says how a run treats recordings. */
const VARIABLE = 'TOOLWRIGHT_EVALUATE';

/**
 * The mode of a run: what the environment says, or else what its code says, or else `replay` in CI, and `auto` elsewhere.
 *
 * @throws {Error} for another word in the environment
 */
export function evaluationMode(given: EvaluationMode | undefined): EvaluationMode {
  const word = process.env[VARIABLE];
  if (word === 'record' || word === 'auto') return 'auto';
  if (word === 'replay' || word === 'all') return word;
  if (word !== undefined && word !== '')
    throw new Error(`${VARIABLE} is "${word}". Set it to record, replay or all.`);
  const { CI = '' } = process.env;
  return given ?? (['', '0', 'false'].includes(CI) ? 'auto' : 'replay');
}

/** The command that records what is missing, as far as a test runner says which file it runs. */
export function recordCommand(): string {
  const expect = (globalThis as { expect?: { getState?(): { testPath?: string } } }).expect;
  const testPath = expect?.getState?.().testPath;
  const file = (path: string) => relative(process.cwd(), path).split(sep).join('/');
  if (testPath === undefined) return `${VARIABLE}=record node ${file(process.argv[1] ?? '')}`;
  const runner = process.env['VITEST'] ? 'vitest run' : 'jest';
  return `${VARIABLE}=record npx ${runner} ${file(testPath)}`;
}
