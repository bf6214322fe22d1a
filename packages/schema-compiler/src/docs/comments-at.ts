import { ts } from '../generator/tjs-adapter.js';
import { type CommentParts, type CommentTag, isMeant, partsOfComment, textOf } from './comment-parts.js';

/** The doc comments of one declaration, including the ones that TypeScript drops. For a parameter, its `@param` first. */
export function commentsAt(declaration: ts.Declaration): CommentParts[] {
  const attached = ts.getJSDocCommentsAndTags(declaration).flatMap((node) => {
    if (ts.isJSDoc(node)) return [partsOfComment(node)];
    return ts.isJSDocParameterTag(node) && isMeant(node) ? [commentOfParameter(node)] : [];
  });
  return [...attached, ...droppedComments(declaration)];
}

/** The text of a `@param`, without the hyphen before it. */
export function textOfParam(tag: ts.JSDocParameterTag): string {
  const { text } = partsOfComment(tag.parent as ts.JSDoc).tags.find(({ node }) => node === tag)!;
  return textOf(text.replace(/^-\s+/, ''));
}

/**
 * `@param token what to sign in with @sensitive`: TypeScript takes the mark for a separate tag of the method. The
 * tags on the line of a `@param` belong to its parameter.
 */
function commentOfParameter(tag: ts.JSDocParameterTag): CommentParts {
  return { description: textOfParam(tag), tags: tagsBeside(tag) };
}

/** The other tags on the line of a `@param`. */
export function tagsBeside(tag: ts.JSDocParameterTag): CommentTag[] {
  const { tags } = partsOfComment(tag.parent as ts.JSDoc);
  const { text } = tag.getSourceFile();
  const found: CommentTag[] = [];
  for (const next of tags.slice(tags.findIndex(({ node }) => node === tag) + 1)) {
    const isBeside = !text.slice(tag.pos, next.node.tagName.pos).includes('\n');
    if (!isBeside || ts.isJSDocParameterTag(next.node)) break;
    found.push(next);
  }
  return found;
}

/** The doc comments of a property or parameter that TypeScript drops. */
function droppedComments(declaration: ts.Declaration): CommentParts[] {
  return [commentOnLineBefore(declaration), ...commentsAfterDecorators(declaration)].flatMap((text) =>
    text === undefined ? [] : parseComment(text),
  );
}

/**
 * TypeScript drops a doc comment on the line of the `{` or `;` before a property, because it takes the
 * comment for the end of the code before: `{ /** @minimum 1 *\/ page: number }`. The author meant the
 * property. So the comment is read here, if the property begins on the line where the comment ends.
 */
function commentOnLineBefore(declaration: ts.Declaration): string | undefined {
  if (!isMember(declaration)) return undefined;
  const { text } = declaration.getSourceFile();
  const last = docsAmong(ts.getTrailingCommentRanges(text, declaration.pos), text).at(-1);
  const between = last && text.slice(last.end, declaration.getStart());
  return between === undefined || between.includes('\n') ? undefined : text.slice(last!.pos, last!.end);
}

function isMember(node: ts.Declaration): boolean {
  return (
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node) ||
    ts.isAccessor(node) ||
    ts.isIndexSignatureDeclaration(node) ||
    ts.isNamedTupleMember(node)
  );
}

/** A doc comment after a decorator or a modifier: `@Schema({}) /** @sensitive *\/ token: string`. */
function commentsAfterDecorators(declaration: ts.Declaration): string[] {
  const isRead = [ts.isParameter, ts.isPropertyDeclaration, ts.isMethodDeclaration, ts.isAccessor];
  if (!isRead.some((is) => is(declaration))) return [];
  const { text } = declaration.getSourceFile();
  return ((declaration as ts.ParameterDeclaration).modifiers ?? []).flatMap(({ end }) =>
    [ts.getTrailingCommentRanges(text, end), ts.getLeadingCommentRanges(text, end)].flatMap((ranges) =>
      docsAmong(ranges, text).map((range) => text.slice(range.pos, range.end)),
    ),
  );
}

function docsAmong(ranges: readonly ts.CommentRange[] | undefined, text: string): ts.CommentRange[] {
  return (ranges ?? []).filter(({ pos }) => text.startsWith('/**', pos));
}

function parseComment(text: string): CommentParts[] {
  const file = ts.createSourceFile('comment.ts', `${text}\nlet it;`, ts.ScriptTarget.Latest, true);
  return ts.getJSDocCommentsAndTags(file.statements[0]!).filter(ts.isJSDoc).map(partsOfComment);
}
