import { ts } from 'typescript-json-schema';
import { nestedParams, strayParams, type NestedParam, type StrayParam } from './param-tags.js';
import { parsePostponed } from './postponed-docs.js';
import { nearestTag } from './schema-tags.js';

/** What a method's doc comment says about the tool as a whole. */
export interface MethodDocs {
  description?: string;
  examples?: string[];
  deprecated?: boolean | string;
  /** `@param options.limit text`: descriptions of properties of object parameters. */
  nested: NestedParam[];
  /** Tags that name no parameter. */
  stray: StrayParam[];
  /** Tags that are unknown but near a known one. */
  misspelt: { name: string; near: string }[];
}

/** Reads a method's doc comment; a method without one has its base's, as editors show it. */
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
