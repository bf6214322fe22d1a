import { ts } from '../generator/tjs-adapter.js';

/** The comments of the standard library and of Node's types never reach a schema. */
const UNREAD = /[\\/](typescript[\\/]lib[\\/]lib\.|@types[\\/]node[\\/])/;

/**
 * Doc comments make up most of the declarations of other packages, and few of them reach a schema. So they
 * are not parsed with their files. Each is parsed when the first schema needs it.
 */
const POSTPONED = /[\\/]node_modules[\\/].*\.d\.[cm]?ts$/;

/** Which doc comments of a file are parsed together with it. */
export function docsParsedWith(fileName: string): ts.JSDocParsingMode {
  const { ParseAll, ParseNone } = ts.JSDocParsingMode;
  return UNREAD.test(fileName) || POSTPONED.test(fileName) ? ParseNone : ParseAll;
}

/** Parses the missing doc comments of a symbol's declarations. */
export function parsePostponed({ declarations = [] }: ts.Symbol): void {
  for (const declaration of declarations) giveComments(declaration);
}

/**
 * The node that holds the comment: a declaration, or what surrounds it, such as the statement of a variable.
 */
interface DocumentedNode extends ts.Node {
  jsDoc?: ts.JSDoc[];
  jsDocCache?: undefined;
}

const seen = new WeakSet<ts.Node>();

function giveComments(declaration: ts.Declaration): void {
  const file = declaration.getSourceFile();
  if (UNREAD.test(file.fileName) || !POSTPONED.test(file.fileName)) return;
  for (
    let node: DocumentedNode = declaration;
    !ts.isSourceFile(node) && !seen.has(node);
    node = node.parent
  ) {
    seen.add(node);
    const comments = internals.getJSDocCommentRanges(node, file.text) ?? [];
    const parsed = comments.flatMap(({ pos, end }) => {
      const { jsDoc } = internals.parseIsolatedJSDocComment(file.text, pos, end - pos) ?? {};
      return jsDoc ? [internals.setParent(jsDoc, node)] : [];
    });
    if (parsed.length === 0) continue;
    node.jsDoc = parsed;
    node.jsDocCache = undefined;
  }
}

/** Functions of the parser that create its comments. The types of TypeScript do not contain them. */
const internals = ts as unknown as {
  getJSDocCommentRanges(node: ts.Node, text: string): readonly ts.TextRange[] | undefined;
  parseIsolatedJSDocComment(text: string, start: number, length: number): { jsDoc?: ts.JSDoc } | undefined;
  setParent<T extends ts.Node>(child: T, parent: ts.Node): T;
};
