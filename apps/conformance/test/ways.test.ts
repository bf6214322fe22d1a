import { sampleOf } from '../../../.ci/test/support/proof.js';
import { brokenBy } from './ways/broken.js';
import { type Cell, cells, failureOf, tried } from './ways/cells.js';
import {
  eventsOfCode,
  guardsOfCode,
  methodsOfCode,
  otherJudges,
  otherMethods,
  watchers,
} from './ways/code.js';
import { judges } from './ways/judges/index.js';
import { ways } from './ways/ways/index.js';
import { eras } from './ways/wire.js';

// Every way to an operation, with everything that judges or watches a call: the same holds on all of them.

const LEAST_TRIED = 0.9;

/** Each judge on each way, in one era of the way: neighbours in the table take another one. `pnpm proof` tries all eras. */
const chosen = sampleOf(tried, ({ judge, way, era }) => {
  const place = judges.indexOf(judge) + ways.indexOf(way);
  return era === way.eras[place % way.eras.length];
});

test('each guard, event and method of the code is in the table, and nothing else is', () => {
  const covered = new Set(judges.flatMap(({ covers }) => covers));
  const known = [...guardsOfCode, ...eventsOfCode, ...watchers];
  expect([...covered, ...Object.keys(otherJudges)].sort()).toEqual([...new Set(known)].sort());
  const sent = new Set(ways.flatMap(({ methods }) => methods));
  expect([...sent, ...Object.keys(otherMethods)].sort()).toEqual([...methodsOfCode].sort());
});

test('almost all cells mean something', () => {
  expect(tried.length / cells.length).toBeGreaterThanOrEqual(LEAST_TRIED);
});

describe.each(eras)('on %s', (era) => {
  test.each(judges.map(({ name }) => name))('%s', async (name) => {
    const found: string[] = [];
    for (const cell of chosen.filter(({ judge, era: of }) => judge.name === name && of === era)) {
      const failure = await failureOf(cell);
      if (!isExpected(cell, failure)) found.push(`${cell.way.name}: ${failure ?? 'is not broken any more'}`);
    }
    expect(found).toEqual([]);
  });
});

function isExpected(cell: Cell, failure: string | undefined): boolean {
  const known = brokenBy(cell);
  return known ? failure?.includes(known.fails) === true : failure === undefined;
}
