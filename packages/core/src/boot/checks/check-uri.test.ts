import { findTemplateProblem, findUriProblem } from './check-app.js';

test.each(['config://app', 'https://example.com/a?b#c', 'urn:isbn:0451450523', 'file:///a%20b'])(
  '%s is a URI',
  (uri) => {
    expect(findUriProblem(uri)).toBeUndefined();
  },
);

test.each(['relative/path', '/absolute/path', 'a b://c', 'page://{id}', ''])('%s is not a URI', (uri) => {
  expect(findUriProblem(uri)).toContain('is not an absolute URI');
});

test.each([
  ['page://{id}', { known: ['id'], required: ['id'] }, undefined],
  ['page://{id}{?lang}', { known: ['id', 'lang'], required: ['id'] }, undefined],
  ['page://{id}', undefined, undefined],
  [
    'page://{id}',
    { known: ['pageId'], required: ['pageId'] },
    'its variable "id" is no parameter of the method',
  ],
  [
    'page://{id}',
    { known: ['id', 'lang'], required: ['id', 'lang'] },
    'the parameter "lang" is no variable of it',
  ],
])('the template %s with %j: %s', (template, inputs, problem) => {
  expect(findTemplateProblem(template, inputs)).toBe(problem);
});

test('the error for a malformed template says what is wrong with it', () => {
  expect(findTemplateProblem('page://{id', undefined)).toBe(
    'Unbalanced braces in the URI template "page://{id"',
  );
});
