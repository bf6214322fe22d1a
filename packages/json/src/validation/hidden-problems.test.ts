import { scrub, scrubbable } from './hidden-problems.js';

test('a secret boolean, or one of two characters, is not removed from texts: each message has such words', () => {
  const secrets = scrubbable(['true', 'false', 'of', 'hunter2']);
  expect(scrub('must be true or false, out of hunter2', secrets)).toBe(
    'must be true or false, out of [sensitive]',
  );
});
