import { oncePer } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import { type CommentParts, type CommentTag, commentOf, partsOfComment, textOf } from './comment-parts.js';

/** The doc comments of one declaration, including the ones that TypeScript drops. For a parameter, its `@param` first. */
export function commentsAt(declaration: ts.Declaration): CommentParts[] {
  const ofParameter = ts.isParameter(declaration) ? paramTagsOf(declaration).map(commentOfParameter) : [];
  return [...ofParameter, ...docsAt(declaration).map((doc) => partsAt(doc, declaration))];
}

/** The text of a `@param`, without the hyphen before it. */
export function textOfParam(tag: ts.JSDocParameterTag): string {
  const { text } = partsOfComment(commentOf(tag)).tags.find(({ node }) => node === tag)!;
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
  const { tags } = partsOfComment(commentOf(tag));
  const { text } = tag.getSourceFile();
  const found: CommentTag[] = [];
  for (const next of tags.slice(tags.findIndex(({ node }) => node === tag) + 1)) {
    const isBeside = !text.slice(tag.pos, next.node.tagName.pos).includes('\n');
    if (!isBeside || ts.isJSDocParameterTag(next.node)) break;
    found.push(next);
  }
  return found;
}

/** The tags `@param` of a function, in all its comments. */
export function paramTags(declaration: ts.Declaration): ts.JSDocParameterTag[] {
  return docsAt(declaration)
    .flatMap((doc) => partsOfComment(doc).tags.map(({ node }) => node))
    .filter(ts.isJSDocParameterTag);
}

/** Those about one parameter. A destructured parameter has no name, so that its place counts. */
function paramTagsOf(parameter: ts.ParameterDeclaration): ts.JSDocParameterTag[] {
  const tags = paramTags(parameter.parent);
  const { name } = parameter;
  if (ts.isIdentifier(name))
    return tags.filter((tag) => ts.isIdentifier(tag.name) && tag.name.text === name.text);
  const at = tags.filter((tag) => ts.isIdentifier(tag.name))[parameter.parent.parameters.indexOf(parameter)];
  return at ? [at] : [];
}

/** All doc comments of a declaration, in their order. TypeScript gives the last one before it, and drops others. */
export const docsAt = oncePer((declaration: ts.Declaration): readonly ts.JSDoc[] => {
  const attached = ts
    .getJSDocCommentsAndTags(declaration)
    .filter(ts.isJSDoc)
    .filter((doc) => !isOfParameterBefore(doc, declaration));
  const all = new Set([...earlierDocs(declaration), ...attached, ...droppedDocs(declaration)]);
  return [...all].sort((one, other) => one.pos - other.pos);
});

/** Two comments may stand before one declaration: one for its tags, the other one for its text. */
function earlierDocs(declaration: ts.Declaration): readonly ts.JSDoc[] {
  const { jsDoc = [] } = declaration as ts.Declaration & { jsDoc?: readonly ts.JSDoc[] };
  const { text } = declaration.getSourceFile();
  return jsDoc.slice(0, -1).filter((doc, index) => {
    if (isOfParameterBefore(doc, declaration)) return false;
    // The first comment of a file is about the file.
    return !isStatement(declaration) || !/\n\s*\n/.test(text.slice(doc.end, jsDoc[index + 1]!.pos));
  });
}

/** The text of an earlier comment at a statement may be about the file. Its tags are facts all the same. */
function partsAt(doc: ts.JSDoc, declaration: ts.Declaration): CommentParts {
  const parts = partsOfComment(doc);
  const { jsDoc = [] } = declaration as ts.Declaration & { jsDoc?: readonly ts.JSDoc[] };
  const isEarlier = isStatement(declaration) && jsDoc.slice(0, -1).includes(doc);
  return isEarlier ? { ...parts, description: '' } : parts;
}

const isStatement = ({ parent }: ts.Declaration) => ts.isSourceFile(parent) || ts.isModuleBlock(parent);

/** The doc comments of a declaration that TypeScript drops. */
function droppedDocs(declaration: ts.Declaration): ts.JSDoc[] {
  return [
    ...commentsOnLineBefore(declaration),
    ...commentsAfterModifiers(declaration),
    ...commentsBehind(declaration),
  ].flatMap((range) => parseComment(range, declaration.getSourceFile()));
}

/**
 * TypeScript drops a doc comment on the line of the `{` or `;` before a declaration, because it takes the comment for
 * the end of the code before: `{ /** @minimum 1 *\/ page: number }`. The author meant the declaration, if it begins on the
 * line where the comment ends. Behind a `{` there is nothing else that it could be about.
 */
function commentsOnLineBefore(declaration: ts.Declaration): ts.CommentRange[] {
  if (!(isMember(declaration) || (isStatement(declaration) && isType(declaration)))) return [];
  const { text } = declaration.getSourceFile();
  const docs = docsAmong(ts.getTrailingCommentRanges(text, declaration.pos), text);
  const isNear = docs.length > 0 && !text.slice(docs.at(-1)!.end, declaration.getStart()).includes('\n');
  return isNear || (isMember(declaration) && isFirst(declaration)) ? docs : [];
}

const isFirst = (member: ts.Declaration) => membersOf(member.parent)?.[0] === member;

function membersOf(holder: ts.Node): readonly ts.Node[] | undefined {
  return (holder as { members?: readonly ts.Node[] }).members;
}

/** A doc comment at the end of a line, with nothing behind it: `pin: string; /** @sensitive *\/`. */
function commentsBehind(declaration: ts.Declaration): ts.CommentRange[] {
  const isRead = [
    ts.isPropertySignature,
    ts.isPropertyDeclaration,
    ts.isTypeAliasDeclaration,
    ts.isParameter,
  ];
  if (!isRead.some((is) => is(declaration))) return [];
  const { text } = declaration.getSourceFile();
  const comma = ts.isParameter(declaration) ? /^[\t ]*,/.exec(text.slice(declaration.end)) : null;
  const end = declaration.end + (comma?.[0].length ?? 0);
  const docs = docsAmong(ts.getTrailingCommentRanges(text, end), text);
  const last = docs.at(-1);
  return last && /^[\t ]*(?:\/\/.*)?(?:\r?\n|$)/.test(text.slice(last.end)) ? docs : [];
}

/** TypeScript gives a comment at the end of a parameter's line to the next parameter. */
function isOfParameterBefore({ pos }: ts.JSDoc, declaration: ts.Declaration): boolean {
  if (!ts.isParameter(declaration)) return false;
  const { parameters } = declaration.parent;
  const before = parameters[parameters.indexOf(declaration) - 1];
  return !!before && commentsBehind(before).some((range) => range.pos === pos);
}

const MEMBERS = [
  ts.isPropertySignature,
  ts.isPropertyDeclaration,
  ts.isPropertyAssignment,
  ts.isShorthandPropertyAssignment,
  ts.isMethodDeclaration,
  ts.isMethodSignature,
  ts.isConstructorDeclaration,
  ts.isAccessor,
  ts.isIndexSignatureDeclaration,
  ts.isNamedTupleMember,
] as const;

const isMember = (node: ts.Node) => MEMBERS.some((is) => is(node));

const TYPES = [
  ts.isTypeAliasDeclaration,
  ts.isInterfaceDeclaration,
  ts.isClassDeclaration,
  ts.isEnumDeclaration,
] as const;

const isType = (node: ts.Node) => TYPES.some((is) => is(node));

/** A doc comment after a decorator or a modifier: `@Schema({}) /** @sensitive *\/ token: string`. */
function commentsAfterModifiers(declaration: ts.Declaration): ts.CommentRange[] {
  const isRead = [ts.isParameter, ts.isPropertyDeclaration, ts.isMethodDeclaration, ts.isAccessor];
  if (!isRead.some((is) => is(declaration))) return [];
  const { text } = declaration.getSourceFile();
  return ((declaration as ts.ParameterDeclaration).modifiers ?? []).flatMap(({ end }) =>
    [ts.getTrailingCommentRanges(text, end), ts.getLeadingCommentRanges(text, end)].flatMap((ranges) =>
      docsAmong(ranges, text),
    ),
  );
}

function docsAmong(ranges: readonly ts.CommentRange[] | undefined, text: string): ts.CommentRange[] {
  return (ranges ?? []).filter(({ pos }) => text.startsWith('/**', pos) && !text.startsWith('/**/', pos));
}

/** Parses a comment by itself. The text before it is blank, so that its tags have their places in the file. */
export function parseComment({ pos, end }: ts.CommentRange, { fileName, text }: ts.SourceFile): ts.JSDoc[] {
  const before = text.slice(0, pos).replace(/[^\r\n]/g, ' ');
  const alone = `${before}${text.slice(pos, end)}\nlet it;`;
  const file = ts.createSourceFile(fileName, alone, ts.ScriptTarget.Latest, true);
  return ts.getJSDocCommentsAndTags(file.statements[0]!).filter(ts.isJSDoc);
}
