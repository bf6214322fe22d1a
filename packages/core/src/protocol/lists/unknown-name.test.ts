import { unknownName } from './unknown-name.js';

test('a long name is not repeated in full', () => {
  expect(unknownName('tool', 'x'.repeat(10_000), []).message.length).toBeLessThan(300);
});
