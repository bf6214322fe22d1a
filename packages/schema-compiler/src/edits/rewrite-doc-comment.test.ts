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
])('the comment of the member is rewritten whose place is that of %s', (_what, line, column) => {
  expect(rewriteDocComment(text, { line, column }, shout)).toBe(
    text.replace('/** Second. */', '/** SECOND. */'),
  );
});

test.each([
  ['a member without', 11, 3],
  ['no member', 1, 1],
  ['no line', 99, 1],
])('nothing is rewritten where there is %s', (_what, line, column) => {
  expect(rewriteDocComment(text, { line, column }, shout)).toBeUndefined();
});
