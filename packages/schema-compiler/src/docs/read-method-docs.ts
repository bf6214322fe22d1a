import { ts } from 'typescript-json-schema';
import { nestedParams, strayParams, type NestedParam, type StrayParam } from './param-tags.js';
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
