import { rewriteDocComment } from './rewrite-doc-comment.js';

const text = `/** The class. */
export class NoteTools {
  /** First. */ first = 1;

  // Not this one.
  /** Second. */
  @McpTool({ name: '/** no comment */' })
  async second(): Promise<void> {}

  // No doc comment.
  third() {}
}
`;

const shout = (comment: string) => comment.toUpperCase();

test.each([
  ['the decorator', 7, 3],
  ['the method', 8, 9],
])('the comment is rewritten if the place is that of %s', (_what, line, column) => {
  expect(rewriteDocComment(text, { line, column }, shout)).toBe(
    text.replace('/** Second. */', '/** SECOND. */'),
  );
});

test.each([
  ['a member without a comment', 11, 3],
  ['a place outside members', 1, 1],
  ['a line that does not exist', 99, 1],
])('nothing is rewritten for %s', (_what, line, column) => {
  expect(rewriteDocComment(text, { line, column }, shout)).toBeUndefined();
});
