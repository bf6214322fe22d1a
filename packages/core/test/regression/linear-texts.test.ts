import { boundText } from '../../src/policies/errors.js';

test('a text of replacement characters is cut in a time that grows with its length', () => {
  const text = `${'\ufffd'.repeat(400_000)}x`.repeat(3);
  expect(boundText(text, 1_250_000)).toMatch(/^\ufffd+x[^\ufffd]*$/);
});

test('a character that is cut in half is left out', () => {
  expect(boundText('é'.repeat(300), 201)).toMatch(/^é+[^é\ufffd]*$/);
});
