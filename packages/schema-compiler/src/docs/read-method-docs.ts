import { ts } from '../generator/tjs-adapter.js';
import { parsePostponed } from './postponed-docs.js';
import { nearestTag } from './schema-tags.js';

/** What a method's doc comment says about the whole tool. */
export interface MethodDocs {
  description?: string;
  examples?: string[];
  deprecated?: boolean | string;
  /** `@param options.limit text` describes a property of an object parameter. */
  nested: NestedParam[];
  /** Tags that name no parameter of the method. */
  stray: StrayParam[];
  /** Unknown tags that are similar to a known one. */
  misspelt: { name: string; near: string }[];
}

/** Reads a method's doc comment. A method without one has the comment of its base, as editors show it. */
export function readMethodDocs(method: ts.Symbol, checker: ts.TypeChecker): MethodDocs {
  parsePostponed(method, checker);
  const text = ts
    .displayPartsToString(method.getDocumentationComment(checker))
    .replaceAll('\r\n', '\n')
    .trim();
  const docs: MethodDocs = { nested: [], stray: [], misspelt: [] };
  if (text) docs.description = text;
  for (const tag of method.getJsDocTags(checker)) {
    const value = ts.displayPartsToString(tag.text).trim();
    if (tag.name === 'example') docs.examples = [...(docs.examples ?? []), value];
    const near = nearestTag(tag.name);
    if (near) docs.misspelt.push({ name: tag.name, near });
    if (tag.name === 'deprecated') docs.deprecated = value || true;
  }
  for (const declaration of method.declarations ?? []) {
    docs.nested.push(...nestedParams(declaration));
    if (ts.isFunctionLike(declaration)) docs.stray.push(...strayParams(declaration));
  }
  return docs;
}

/** `@param options.limit text` describes a property of a parameter. */
export interface NestedParam {
  parameter: string;
  /** The path from the parameter: `['limit']`. */
  path: string[];
  /** May be empty. */
  text: string;
  tag: ts.JSDocParameterTag;
}

/** A tag that names none of the method's parameters. */
interface StrayParam {
  name: string;
  tag: ts.JSDocParameterTag;
}

function nestedParams(method: ts.Declaration): NestedParam[] {
  return paramTags(method).flatMap((tag) => {
    const [parameter, ...path] = namesOf(tag.name);
    const text = (ts.getTextOfJSDocComment(tag.comment) ?? '').replace(/^\s*-\s+/, '').trim();
    return path.length > 0 ? [{ parameter: parameter!, path, text, tag }] : [];
  });
}

/**
 * The tags that name no parameter. Tags of a destructured parameter count by their position, as in
 * TypeScript.
 */
function strayParams(method: ts.SignatureDeclaration): StrayParam[] {
  // The project cannot change the declarations of another package.
  if (method.getSourceFile().isDeclarationFile) return [];
  const own = method.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : undefined));
  const isStray = (tag: ts.JSDocParameterTag, index: number) => {
    const [name, ...path] = namesOf(tag.name);
    if (!name || own.includes(name)) return false;
    return path.length > 0 ? !own.includes(undefined) : index >= own.length || own[index] !== undefined;
  };
  return paramTags(method)
    .filter(isStray)
    .map((tag) => ({ name: namesOf(tag.name).join('.'), tag }));
}

/**
 * `@param token what to sign in with @sensitive`: TypeScript takes the mark for a separate tag of the method,
 * after the tag of the parameter.
 */
export function isMarkedSensitive({ valueDeclaration }: ts.Symbol): boolean {
  if (!valueDeclaration || !ts.isParameter(valueDeclaration)) return false;
  return ts
    .getJSDocParameterTags(valueDeclaration)
    .some(
      (tag) =>
        ts.isIdentifier(tag.name) &&
        ts.isJSDoc(tag.parent) &&
        tag.parent.tags!.some((next) => marks(next, tag)),
    );
}

function marks(mark: ts.JSDocTag, parameter: ts.JSDocTag): boolean {
  if (mark.tagName.text !== 'sensitive' || mark.pos < parameter.end) return false;
  const { text } = mark.getSourceFile();
  const between = text.slice(parameter.pos, mark.pos);
  return !between.includes('\n') && !between.slice(1).includes('@');
}

function paramTags(method: ts.Declaration): ts.JSDocParameterTag[] {
  return ts.getJSDocTags(method).filter(ts.isJSDocParameterTag);
}

function namesOf(name: ts.EntityName): string[] {
  return ts.isQualifiedName(name) ? [...namesOf(name.left), name.right.text] : [name.text];
}
