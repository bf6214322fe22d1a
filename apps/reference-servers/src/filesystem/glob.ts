import { ToolError } from '@toolwright/core';

/** Tells whether a path, relative to where a search began, is meant. */
export type Matches = (path: string) => boolean;

/** `{a,b}{a,b}…` stands for as many patterns as one likes; no person writes more than a few. */
const MOST_ALTERNATIVES = 1_000;

/** Reads each pattern once, however many paths it is compared with. */
export async function anyOf(patterns: readonly string[]): Promise<Matches> {
  if (patterns.length === 0) return () => false;
  const { Minimatch } = await import('minimatch');
  const globs = patterns.map((pattern) => {
    const glob = new Minimatch(pattern, { dot: true, braceExpandMax: MOST_ALTERNATIVES + 1 });
    if (glob.set.length <= MOST_ALTERNATIVES) return glob;
    throw new ToolError(`The pattern "${pattern}" stands for too many patterns. Write fewer braces.`);
  });
  return (path) => globs.some((glob) => glob.match(path));
}
