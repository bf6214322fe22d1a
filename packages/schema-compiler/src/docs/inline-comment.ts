import { ts } from 'typescript-json-schema';

interface InlineComment {
  description: string;
  tags: { name: string; text: string }[];
}

/** The doc comments of a property or parameter that TypeScript drops, joined. */
export function inlineComment(symbol: ts.Symbol): InlineComment | undefined {
  const declaration = symbol.valueDeclaration;
  if (!declaration) return undefined;
  const found = [commentOnLineBefore(declaration), ...commentsAfterDecorators(declaration)].flatMap((text) =>
    text === undefined ? [] : [parseComment(text)],
  );
  if (found.length === 0) return undefined;
  return {
    description: found.flatMap(({ description }) => description || []).join('\n'),
    tags: found.flatMap(({ tags }) => tags),
  };
}

/**
 * TypeScript drops a doc comment on the line of the `{` or `;` before a property, because it takes the
 * comment for the end of the code before: `{ /** @minimum 1 *\/ page: number }`. The author meant the
 * property. So the comment is read here, if the property begins on the line where the comment ends.
 */
function commentOnLineBefore(declaration: ts.Declaration): string | undefined {
  if (!(ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration))) return undefined;
  const { text } = declaration.getSourceFile();
  const last = docsAmong(ts.getTrailingCommentRanges(text, declaration.pos), text).at(-1);
  const between = last && text.slice(last.end, declaration.getStart());
  return between === undefined || between.includes('\n') ? undefined : text.slice(last!.pos, last!.end);
}

/** A doc comment after a decorator or a modifier: `@Schema({}) /** @sensitive *\/ token: string`. */
function commentsAfterDecorators(declaration: ts.Declaration): string[] {
  if (!ts.isParameter(declaration) && !ts.isPropertyDeclaration(declaration)) return [];
  const { text } = declaration.getSourceFile();
  return (declaration.modifiers ?? []).flatMap(({ end }) =>
    [ts.getTrailingCommentRanges(text, end), ts.getLeadingCommentRanges(text, end)].flatMap((ranges) =>
      docsAmong(ranges, text).map((range) => text.slice(range.pos, range.end)),
    ),
  );
}

function docsAmong(ranges: readonly ts.CommentRange[] | undefined, text: string): ts.CommentRange[] {
  return (ranges ?? []).filter(({ pos }) => text.startsWith('/**', pos));
}

function parseComment(text: string): InlineComment {
  const file = ts.createSourceFile('comment.ts', `${text}\nlet it;`, ts.ScriptTarget.Latest, true);
  const statement = file.statements[0]!;
  const docs = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
  const description = docs
    .map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '')
    .join('\n')
    .trim();
  const tags = docs
    .flatMap((doc) => doc.tags ?? [])
    .map((tag) => ({
      name: tag.tagName.text,
      text: (ts.getTextOfJSDocComment(tag.comment) ?? '').trim(),
    }));
  return { description, tags };
}
