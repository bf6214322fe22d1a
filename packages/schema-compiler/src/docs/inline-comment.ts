import { ts } from 'typescript-json-schema';

interface InlineComment {
  description: string;
  tags: { name: string; text: string }[];
}

/**
 * TypeScript takes a doc comment on the line of the `{` or `;` before a property as the end of what came before, and
 * drops it: `{ /** @minimum 1 *\/ page: number }`. The author meant the property, so it is read here, provided the
 * property begins on the line where the comment ends.
 */
export function inlineComment(symbol: ts.Symbol): InlineComment | undefined {
  const declaration = symbol.valueDeclaration;
  if (!declaration || !(ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)))
    return undefined;
  const file = declaration.getSourceFile();
  const ranges = ts.getTrailingCommentRanges(file.text, declaration.pos) ?? [];
  const last = ranges.at(-1);
  if (!last || file.text.slice(last.pos, last.pos + 3) !== '/**') return undefined;
  const between = file.text.slice(last.end, declaration.getStart(file));
  return between.includes('\n') ? undefined : parseComment(file.text.slice(last.pos, last.end));
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
