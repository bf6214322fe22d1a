import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/**
 * Begins with the test files that need the most time, so that none of them runs alone at the end. Where Jest has run
 * them before it knows. On a new clone it goes by the size of files, and a short one may build a whole site: there,
 * a file that allows itself more time than others comes first.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const known = super.sort(tests);
    if (known.some(({ duration }) => duration !== undefined)) return known;
    const allowed = new Map(known.map((test) => [test, allowedSeconds(readFileSync(test.path, 'utf8'))]));
    return known.sort((one, other) => allowed.get(other) - allowed.get(one));
  }
}

/** The largest time limit that a test file sets, and what a file that starts a browser needs. */
export function allowedSeconds(text) {
  const limits = [...text.matchAll(/(?:\bsetTimeout\(|^ *\}, )(\d+)_000\);$/gm)].map(([, seconds]) =>
    Number(seconds),
  );
  return Math.max(0, ...limits, text.includes('describeInChromium') ? 120 : 0);
}
