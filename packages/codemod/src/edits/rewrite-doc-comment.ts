import { ts } from '@toolwright/schema-compiler/project';

/** A place in a source file, counted from 1. */
export interface SourcePlace {
  line: number;
  column: number;
}

/**
 * Rewrites the doc comment of the class member at a place. It never changes code.
 *
 * @param rewrite gets the comment with its opening and closing marks
 * @returns the new text; undefined if no member with a doc comment is there
 */
export function rewriteDocComment(
  text: string,
  { line, column }: SourcePlace,
  rewrite: (comment: string) => string,
): string | undefined {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  if (line > file.getLineStarts().length) return undefined;
  const position = file.getLineStarts()[line - 1]! + column - 1;
  const member = memberAt(file, position);
  const range = member && ts.getLeadingCommentRanges(text, member.getFullStart())?.at(-1);
  if (!range || !text.startsWith('/**', range.pos)) return undefined;
  return text.slice(0, range.pos) + rewrite(text.slice(range.pos, range.end)) + text.slice(range.end);
}

/** The innermost class member at a position. Its decorators are part of it, its comment is not. */
function memberAt(file: ts.SourceFile, position: number): ts.ClassElement | undefined {
  let found: ts.ClassElement | undefined;
  const visit = (node: ts.Node): void => {
    if (position < node.getStart(file) || position > node.getEnd()) return;
    if (ts.isClassElement(node)) found = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found;
}
