import { count, size } from '../../../.ci/test/support/proof.js';
import { all, askSome } from './facts/sample.js';

/** As many as one program holds in a moment. In a proof, each run begins elsewhere. */
const AT_ONCE = 600;
const first = size === 1 ? 1_000 : Math.floor(Math.random() * all.length);
const parts = Array.from({ length: size }, (_, part) => first + part * AT_ONCE);

test.each(parts)('no fact about a member disappears in silence, from case %i on', async (from) => {
  const { held, named, faults } = await askSome(AT_ONCE, from);
  expect(faults).toEqual([]);
  expect(held).toBeGreaterThan(10 * named);
  count('facts that are published and hold', held);
  count('facts that the build names', named);
});
