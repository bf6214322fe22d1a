import { validatorFor } from './validator.js';

const validate = validatorFor({
  type: 'object',
  properties: { text: { type: 'string', maxLength: 5, pattern: '^a*a*b$' } },
});

test('a short text is told all that is wrong with it', () => {
  expect(validate({ text: 'x'.repeat(100) })).toHaveLength(2);
});

test('maxLength keeps a long text from the pattern beside it', () => {
  expect(validate({ text: 'a'.repeat(1_000_000) })).toHaveLength(1);
});
