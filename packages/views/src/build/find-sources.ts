import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { ToolView, ViewKind, ViewProblem, ViewSource } from './tool-view.js';

/** Finds the files of views, and what each is written with. */
export function findSources(
  root: string,
  tools: readonly ToolView[],
): { sources: ViewSource[]; problems: ViewProblem[] } {
  const problems: ViewProblem[] = [];
  const byPath = new Map<string, ToolView[]>();
  for (const tool of tools) {
    const path = resolve(root, dirname(tool.file), tool.view);
    const problem = problemOf(path, tool, root);
    if (problem)
      problems.push({ code: 'TW_VIEW_INVALID', severity: 'error', message: problem, ...tool.location });
    else byPath.set(path, [...(byPath.get(path) ?? []), tool]);
  }
  const sources = [...byPath].map(([path, shown]) => ({
    path,
    file: relative(root, path).split(sep).join('/'),
    kind: kindOf(path, root),
    tools: shown,
  }));
  return { sources, problems };
}

function problemOf(path: string, { tool, view }: ToolView, root: string): string | undefined {
  if (!/^\.{1,2}\//.test(view))
    return `The view "${view}" of "${tool}" is not relative to the file of the class. Write it as "./views/chart.tsx".`;
  if (!/\.[jt]sx?$/.test(view))
    return `The view "${view}" of "${tool}" is not a file of the kind .tsx, .ts, .jsx or .js.`;
  return existsSync(path)
    ? undefined
    : `The view "${view}" of "${tool}" does not exist: there is no file ${relative(root, path)}.`;
}

/** The library that a file imports or names in a comment for the compiler. A file with JSX and neither gets the one that is installed. */
function kindOf(path: string, root: string): ViewKind {
  const text = readFileSync(path, 'utf8');
  const named =
    /@jsxImportSource\s+(p?react)\b/.exec(text) ??
    /\bfrom\s*['"](p?react)(?:-dom)?(?:\/[^'"]*)?['"]/.exec(text);
  if (named) return named[1] as ViewKind;
  if (/@toolwright\/views\/preact/.test(text)) return 'preact';
  if (/@toolwright\/views\/react/.test(text)) return 'react';
  if (!/x$/.test(path)) return 'plain';
  return isInstalled('preact', root) && !isInstalled('react-dom', root) ? 'preact' : 'react';
}

export function isInstalled(name: string, root: string): boolean {
  try {
    createRequire(join(root, 'package.json')).resolve(name);
    return true;
  } catch {
    return false;
  }
}
