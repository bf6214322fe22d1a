import { ts } from '../generator/tjs-adapter.js';
import { partsOfComment } from './comment-parts.js';
import { docsAt, parseComment } from './comments-at.js';
import { isMeantToHold } from './schema-tags.js';

/** A mark or a limit in a comment that is about nothing. */
export interface LooseTag {
  readonly name: string;
  readonly node: ts.JSDocTag;
}

/**
 * Finds marks and limits that are in a doc comment at a place where it belongs to no member and to no parameter:
 * `pin: /** @sensitive *\/ string`. Types and code inside of a declaration are left out, because a type is searched when
 * its own members are read.
 *
 * @param holder a class, an interface, a type or a method
 */
export function looseTags(holder: ts.Node): LooseTag[] {
  const file = holder.getSourceFile();
  if (file.isDeclarationFile || !holder.getText(file).includes('/**')) return [];
  const attached = new Set<number>();
  const apart: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (node !== holder && isApart(node)) return void apart.push(node);
    for (const doc of docsAt(node as ts.Declaration)) attached.add(doc.pos);
    ts.forEachChild(node, visit);
  };
  visit(holder);
  return rangesBetween(apart, holder)
    .flatMap((range) => commentsIn(range, file.text))
    .filter(({ pos }) => !attached.has(pos))
    .flatMap((range) => parseComment(range, file))
    .flatMap((doc) => partsOfComment(doc).tags.filter(({ name }) => isMeantToHold(name)));
}

/** What the build says about such a tag. */
export function looseTag(name: string): string {
  return `@${name} is in a comment that belongs to no property and to no parameter.`;
}

/** Code, and types that are read by themselves. */
function isApart(node: ts.Node): boolean {
  const { initializer } = node.parent as { initializer?: ts.Node };
  return node === initializer || ts.isBlock(node) || ts.isTypeLiteralNode(node) || ts.isDecorator(node);
}

function rangesBetween(apart: readonly ts.Node[], holder: ts.Node): ts.TextRange[] {
  const ranges: ts.TextRange[] = [];
  let pos = holder.getStart();
  for (const node of apart) {
    ranges.push({ pos, end: node.getStart() });
    pos = node.end;
  }
  return [...ranges, { pos, end: holder.end }];
}

/** The scanner decides what is a comment: `// /** @minimum 1 *\/` is only a line that is commented out. */
function commentsIn({ pos, end }: ts.TextRange, text: string): ts.CommentRange[] {
  if (!text.slice(pos, end).includes('/**')) return [];
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    false,
    ts.LanguageVariant.Standard,
    text,
    undefined,
    pos,
    end - pos,
  );
  const found: ts.CommentRange[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind !== ts.SyntaxKind.MultiLineCommentTrivia || !scanner.getTokenText().startsWith('/**')) continue;
    found.push({ kind, pos: scanner.getTokenStart(), end: scanner.getTokenEnd() });
  }
  return found;
}
