import { unknownName } from './protocol-errors.js';

test('a long name is not repeated in full', () => {
  expect(unknownName('tool', 'x'.repeat(10_000), []).message.length).toBeLessThan(300);
});
