import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Manifest } from '@toolwright/manifest';

/** What adds operations while an app starts, and where the lock of a project gets them from. */
const ADDERS: readonly (readonly [pattern: RegExp, missing: string])[] = [
  [
    /\bopenApiTools\s*\(/g,
    'adds the operations of a specification: name it in toolwright.lock.openapi of package.json, or add --app <file>',
  ],
  [/\bmountServer\s*\(/g, 'mounts a server: what was accepted of it stays in the lock; --app <file> asks it'],
  [
    /\.(?:tools|prompts|resources|resourceTemplates|services)\s*\.add\s*\(/g,
    'adds operations at run time: add --app <file>',
  ],
];

const COMMENTS = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;

/**
 * The places in the sources of a project that add operations at run time, which the compiled classes alone do not show. They
 * are found by their names, so an alias of such a function stays unknown.
 *
 * @param root the folder of the project
 * @param knowsApis whether the lock has the operations of specifications
 */
export function addedAtRunTime(root: string, { sources = [] }: Manifest, knowsApis: boolean): string[] {
  return sources.flatMap((source) => {
    const text = textOf(resolve(root, source));
    const adders = knowsApis ? ADDERS.slice(1) : ADDERS;
    return adders.flatMap(([pattern, missing]) =>
      [...text.matchAll(pattern)].map(
        ({ index }) => `${source}:${text.slice(0, index).split('\n').length} ${missing}`,
      ),
    );
  });
}

/** A source without its comments, and with all its lines. Empty if nobody can read it. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(COMMENTS, (comment) => comment.replace(/[^\n]+/g, ''));
  } catch {
    return '';
  }
}

/** What nobody can see of a server from outside. */
export const UNSEEN_FROM_OUTSIDE: readonly string[] = [
  'scopes and deprecations, older versions of tools, and what this caller does not see: a list says nothing of them',
];
