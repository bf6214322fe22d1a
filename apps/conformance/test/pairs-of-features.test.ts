import { apart, featuresOfCode, featuresOfPairs } from './ways/pairs/features.js';
import { pairs, refinements, tryPair } from './ways/pairs/pairs.js';
import { eras } from './ways/wire.js';

// Features that people may switch on together: both hold, or boot refuses the two and says what to do.

test.each(['decorators', 'toolOptions', 'options'] as const)('the pairs have all %s of the code', (kind) => {
  const known = [...featuresOfPairs[kind], ...Object.keys(apart)];
  expect(featuresOfCode[kind].filter((name) => !known.includes(name))).toEqual([]);
});

const judged = [...new Set(pairs.map((pair) => pair.judged.name))];

describe.each(eras)('on %s', (era) => {
  test.each(judged)('%s holds beside each of the others', async (name) => {
    const found: string[] = [];
    for (const pair of pairs.filter((each) => each.judged.name === name && each.era === era)) {
      const outcome = await tryPair(pair);
      if (outcome === undefined) continue;
      if ('broken' in outcome) found.push(`${pair.beside.name}: ${outcome.broken}`);
      else if (outcome.refused.problems.some(({ fix }) => !fix)) found.push(`${pair.beside.name}: no advice`);
    }
    expect(found).toEqual([]);
  });
});

test('what refines another one is not tried as its equal', () => {
  const names = new Set(pairs.flatMap((pair) => [pair.judged.name, pair.beside.name]));
  for (const { judged: one, beside } of refinements)
    expect([names.has(one), names.has(beside)]).toEqual([true, true]);
});
