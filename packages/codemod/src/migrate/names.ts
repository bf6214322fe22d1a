import { basename, dirname, extname } from 'node:path';
import { ts } from '@toolwright/schema-compiler/project';
import type { FoundRegistration } from './registration.js';
import { pascal } from './zod/type-writer.js';

/** A name for the class of a file: `echo.ts` -> `EchoTools`. */
export function classNameFor(
  path: string,
  registrations: readonly FoundRegistration[],
  taken: ReadonlySet<string>,
): string {
  const stem = basename(path, extname(path));
  const folder = basename(dirname(path));
  const isPlain = /^(index|main|server|app|mcp|tools?|prompts?|resources?)$/i;
  const words = isPlain.test(stem)
    ? /^(src|lib|dist|source)$/.test(folder)
      ? basename(dirname(dirname(path)))
      : folder
    : stem;
  if (registrations.length === 0) return '';
  const kinds = new Set(registrations.map(({ kind }) => kind.replace('Template', '')));
  const [only] = kinds;
  const ending =
    kinds.size > 1 ? 'Service' : { tool: 'Tools', prompt: 'Prompts', resource: 'Resources' }[only!]!;
  const base = pascal(words).replace(/(Tools?|Prompts?|Resources?|Service)$/, '');
  return free(`${base}${ending}`, taken);
}

/** Names for methods: `create_entities` -> `createEntities`. None is that of a field that the class may get. */
export function methodNames(
  registrations: readonly FoundRegistration[],
  fields: Iterable<string>,
): Map<FoundRegistration, string> {
  const taken = new Set(['constructor', ...fields]);
  const names = new Map<FoundRegistration, string>();
  for (const registration of registrations) {
    const words = pascal(registration.name);
    const isUpper = words === words.toUpperCase();
    const name = free(isUpper ? words.toLowerCase() : words[0]!.toLowerCase() + words.slice(1), taken);
    taken.add(name);
    names.set(registration, name);
  }
  return names;
}

function free(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}${number}`)) return `${name}${number}`;
}

/** Every name in a file, of values and of types. */
export function allNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** The names that a file declares or uses as values, without the names of properties. */
export function hasValueNamed(file: ts.SourceFile, name: string): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    const isDeclared =
      ts.isIdentifier(node) &&
      node.text === name &&
      (ts.isVariableDeclaration(node.parent) ||
        ts.isParameter(node.parent) ||
        ts.isFunctionDeclaration(node.parent) ||
        ts.isBindingElement(node.parent) ||
        ts.isImportSpecifier(node.parent) ||
        ts.isImportClause(node.parent));
    if (isDeclared) found = true;
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
