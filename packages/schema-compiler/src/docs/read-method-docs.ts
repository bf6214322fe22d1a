import { type Definition, ts } from '../generator/tjs-adapter.js';
import { textOf } from './comment-parts.js';
import { commentsAt, paramTags, tagsBeside, textOfParam } from './comments-at.js';
import { type LooseTag, looseTags } from './loose-tags.js';
import { membersBehind } from './member-sources.js';
import { parsePostponed } from './postponed-docs.js';
import { readTags } from './read-doc-keywords.js';
import { isAboutValues, isMeantToHold, nearestTag } from './schema-tags.js';

/** What a method's doc comment says about the whole tool. */
export interface MethodDocs {
  description?: string;
  examples?: string[];
  deprecated?: boolean | string;
  /** `@param options.limit text` describes a property of an object parameter. */
  nested: NestedParam[];
  /** Tags that name no parameter of the method. */
  stray: StrayParam[];
  /** Tags about values that are about no parameter. */
  misplaced: MisplacedTag[];
  /** Marks and limits in comments that are about no parameter. */
  loose: LooseTag[];
  /** Unknown tags that are similar to a known one. */
  misspelt: { name: string; near: string }[];
}

/**
 * Reads a method's doc comment. What it does not say comes from the method that it overrides, as editors show it.
 */
export function readMethodDocs(method: ts.Symbol, checker: ts.TypeChecker): MethodDocs {
  const own = readOwnDocs(method);
  const above = membersBehind(method, checker).map((each) => readMethodDocs(each, checker));
  return above.reduce<MethodDocs>(
    (docs, base) => ({
      ...base,
      ...docs,
      nested: [
        ...docs.nested,
        ...base.nested.filter((each) => !docs.nested.some((one) => isSame(one, each))),
      ],
    }),
    own,
  );
}

function isSame(one: NestedParam, other: NestedParam): boolean {
  return one.parameter === other.parameter && one.path.join('.') === other.path.join('.');
}

function readOwnDocs(method: ts.Symbol): MethodDocs {
  parsePostponed(method);
  const docs: MethodDocs = { nested: [], stray: [], misspelt: [], misplaced: [], loose: [] };
  const { declarations = [] } = method;
  const comments = declarations.flatMap(commentsAt);
  const description = [...new Set(comments.flatMap((comment) => comment.description || []))].join('\n');
  if (description) docs.description = description;
  for (const { name, text } of comments.flatMap(({ tags }) => tags)) {
    if (name === 'example') docs.examples = [...(docs.examples ?? []), text];
    const near = nearestTag(name);
    if (near) docs.misspelt.push({ name, near });
    if (name === 'deprecated') docs.deprecated = textOf(text) || true;
    if (name === 'description' && text !== '') docs.description ??= textOf(text);
  }
  for (const declaration of declarations) {
    docs.nested.push(...nestedParams(declaration));
    if (ts.isFunctionLike(declaration)) docs.stray.push(...strayParams(declaration));
    docs.misplaced.push(...misplacedTags(declaration));
    docs.loose.push(...looseTags(declaration));
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
  /** From the tags on its line. */
  keywords: Definition;
  tag: ts.JSDocParameterTag;
}

/** A tag that names none of the method's parameters. */
interface StrayParam {
  name: string;
  tag: ts.JSDocParameterTag;
}

/** A tag about a value in the comment of a method. */
interface MisplacedTag {
  name: string;
  tag: ts.JSDocTag;
}

function nestedParams(method: ts.Declaration): NestedParam[] {
  return paramTags(method).flatMap((tag) => {
    const [parameter, ...path] = namesOf(tag.name);
    if (path.length === 0) return [];
    const { keywords } = readTags(tagsBeside(tag));
    return [{ parameter: parameter!, path, text: textOfParam(tag), keywords, tag }];
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

/** Tags about values in the comment of a method, on a line without a `@param`. */
function misplacedTags(method: ts.Declaration): MisplacedTag[] {
  // The project cannot change the declarations of another package.
  if (method.getSourceFile().isDeclarationFile) return [];
  const beside = new Set(paramTags(method).flatMap((tag) => tagsBeside(tag).map(({ node }) => node)));
  return commentsAt(method)
    .flatMap(({ tags }) => tags)
    .filter(({ name, node }) => (isAboutValues(name) || isMeantToHold(name)) && !beside.has(node))
    .map(({ name, node }) => ({ name, tag: node }));
}

/**
 * Tags in the comment of a constructor that do not reach the properties that its parameters declare: those on a line
 * without a `@param`, and those about a part of a parameter.
 */
export function tagsLostInConstructor(parameter: ts.ParameterDeclaration): string[] {
  const { parent, name } = parameter;
  const properties = parent.parameters.filter((each) => ts.isParameterPropertyDeclaration(each, parent));
  const alone = properties[0] === parameter ? misplacedTags(parent) : [];
  return [
    ...alone.map((tag) => `@${tag.name} is in the comment of a constructor, and no @param is on its line.`),
    ...nestedParams(parent)
      .filter((each) => each.parameter === name.getText() && Object.keys(each.keywords).length > 0)
      .map(({ tag }) => `The tags of @param ${tag.name.getText()} are in the comment of a constructor.`),
  ];
}

function namesOf(name: ts.EntityName): string[] {
  return ts.isQualifiedName(name) ? [...namesOf(name.left), name.right.text] : [name.text];
}
