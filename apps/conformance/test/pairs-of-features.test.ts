import { sampleOf } from '../../../.ci/test/support/proof.js';
import { brokenPairs } from './ways/broken.js';
import { apart, features, featuresOfCode, featuresOfPairs } from './ways/pairs/features.js';
import { isMeant, pairs, refinements, tryPair } from './ways/pairs/pairs.js';
import { eras } from './ways/wire.js';

// Features that people may switch on together: both hold, or boot refuses the two and says what to do.

test.each(['decorators', 'toolOptions', 'options'] as const)('the pairs have all %s of the code', (kind) => {
  const known = [...featuresOfPairs[kind], ...Object.keys(apart)];
  expect(featuresOfCode[kind].filter((name) => !known.includes(name))).toEqual([]);
});

const judged = [...new Set(pairs.map((pair) => pair.judged.name))];

/** Each pair in one era. `pnpm proof` tries both. */
const chosen = sampleOf(pairs, ({ judged: one, beside, era }) => {
  const place = features.indexOf(one) + features.indexOf(beside);
  return era === eras[place % eras.length];
});

describe.each(eras)('on %s', (era) => {
  test.each(judged)('%s holds beside each of the others', async (name) => {
    const found: string[] = [];
    for (const pair of chosen.filter((each) => each.judged.name === name && each.era === era)) {
      const outcome = await tryPair(pair);
      if (isBroken(name, pair.beside.name, era)) {
        if (outcome === undefined) found.push(`${pair.beside.name}: is not broken any more`);
      } else if (outcome === undefined) continue;
      else if ('broken' in outcome) found.push(`${pair.beside.name}: ${outcome.broken}`);
      else if (outcome.refused.problems.some(({ fix }) => !fix)) found.push(`${pair.beside.name}: no advice`);
    }
    expect(found).toEqual([]);
  });
});

test('what refines another one is not tried as its equal', () => {
  const names = features.map(({ name }) => name);
  for (const { judged: one, beside } of refinements)
    for (const meant of [one, beside]) expect(names.filter((name) => isMeant(meant, name))).not.toEqual([]);
});

const isBroken = (one: string, beside: string, era: string) =>
  brokenPairs.some(
    (known) => isMeant(known.judged, one) && isMeant(known.beside, beside) && known.era === era,
  );
