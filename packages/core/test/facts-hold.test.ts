import { all, askSome } from './facts/sample.js';

// `every-fact.test.ts` asks for more.
test('what an author says of a member is published and holds, or the build names it, however the member is used again', async () => {
  expect(all.length).toBeGreaterThan(300_000);
  const { held, named, faults } = await askSome(120);
  expect(faults).toEqual([]);
  expect(held).toBeGreaterThan(10 * named);
});
