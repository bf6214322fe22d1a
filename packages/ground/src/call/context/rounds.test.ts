import { InputPending } from './rounds.js';

test('an answer that is not there yet costs no stack trace, and other errors keep theirs', () => {
  const limit = Error.stackTraceLimit;

  expect(new InputPending('guests').stack).not.toMatch(/^ +at /m);
  expect(Error.stackTraceLimit).toBe(limit);
  expect(new Error('another').stack).toMatch(/^ +at /m);
});
