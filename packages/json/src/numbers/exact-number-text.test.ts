import { validatorFor } from '../validation/validator.js';
import { describeProblems } from '../validation/problem.js';
import { wordsOf } from '../schema/schema-words.js';
import { exactNumberText, valueText } from './exact-number-text.js';

const ID = 2 ** 60;
const DIGITS = '1152921504606846976';

test.each([
  [ID, DIGITS],
  [-(2 ** 63), '-9223372036854775808'],
  [1e21, '1e+21'],
  [0.5, '0.5'],
  [-0, '0'],
])('%d is written as %s', (value, text) => {
  expect([exactNumberText(value), valueText(value)]).toEqual([text, text]);
});

test.each([
  [{ enum: [ID, 5] }, 7, `one of ${DIGITS}, 5, received the number 7`],
  [{ const: ID }, 7, DIGITS],
  [{ minimum: ID }, 7, `at least ${DIGITS}`],
  [{ maximum: ID }, 2 ** 63, `at most ${DIGITS}, received the number 9223372036854775808`],
  [{ multipleOf: ID }, 7, `a multiple of ${DIGITS}`],
  [{ type: 'string' }, ID, `received the number ${DIGITS}`],
])('what is wrong with a value has all digits: %j', (schema, value, words) => {
  const problems = validatorFor(schema as never, 'caller')(value)!;
  expect(describeProblems(problems)).toContain(words);
});

test('words in a published schema have all digits', () => {
  expect(wordsOf({ enum: [ID, 'a'] })).toBe(`${DIGITS} or "a"`);
});
