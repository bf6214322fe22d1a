import { ts } from 'typescript-json-schema';

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
export interface StrayParam {
  name: string;
  tag: ts.JSDocParameterTag;
}

export function nestedParams(method: ts.Declaration): NestedParam[] {
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
export function strayParams(method: ts.SignatureDeclaration): StrayParam[] {
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
