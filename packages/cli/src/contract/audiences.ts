import { resolve } from 'node:path';
import type { Manifest } from '@toolwright/manifest';
import type { ToolContract } from './lock-file.js';
import { textOf } from './not-looked-at.js';

/** `export` of `export (AcmeTools)`. A name has no blank. */
export const bareName = (name: string): string => name.split(' ', 1)[0]!;

/** The tools that are only for some callers, as their lists name them. */
export const asListedForSome = (tools: readonly ToolContract[] = []): ToolContract[] =>
  tools.map((tool) => ({ ...tool, name: bareName(tool.name) }));

/**
 * The same tools, each under the name that it has in the lock. Callers do not see the name of a class, so a class with
 * another name is the same one if its tool has the same function `for`, and no other one has it.
 */
export function underLockedNames(
  before: readonly ToolContract[] = [],
  after: readonly ToolContract[] = [],
): ToolContract[] {
  const gone = before.filter(({ name }) => !after.some((each) => each.name === name));
  const come = after.filter(({ name }) => !before.some((each) => each.name === name));
  const isSame = (one: ToolContract, other: ToolContract) =>
    one.for !== undefined && one.for === other.for && bareName(one.name) === bareName(other.name);
  return after.map((tool) => {
    if (!come.includes(tool)) return tool;
    const same = gone.filter((each) => isSame(each, tool));
    const isOnly = same.length === 1 && come.filter((each) => isSame(each, tool)).length === 1;
    return isOnly ? { ...tool, name: same[0]!.name } : tool;
  });
}

const TEXTS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\$]|\\.)*`/g;
const NAMES = /(?<![.\w$])[A-Za-z_$][\w$]*/g;
const WORDS = new Set(
  `async await const else false function if in instanceof let new null of return true typeof undefined void
  Array BigInt Boolean Date JSON Math Number Object RegExp Set String Symbol`.split(/\s+/),
);

/** Sentences about each function `for` that uses something from elsewhere: nobody looks at that. */
export function unknownAudiences(tools: readonly ToolContract[] = []): string[] {
  const found = tools.map(
    ({ name, for: words = '' }) => [whomOf(name), freeNames(words).join(', ')] as const,
  );
  const sentences = found
    .filter(([, names]) => names !== '')
    .map(([whom, names]) => `${whom}: its function for uses ${names}, at which nobody has looked`);
  return [...new Set(sentences)];
}

/** `AcmeTools` of `export (AcmeTools)`, because its tools share the function. */
const whomOf = (name: string): string => {
  const whom = / \((.*)\)/.exec(name)?.[1] ?? '';
  return whom === 'some callers' ? name : whom;
};

/** The names that a function takes from around it. It names too many rather than too few. */
function freeNames(words: string): string[] {
  if (words.includes('[native code]')) return ['a bound function'];
  const text = words.replace(TEXTS, '');
  const head = /^(?:async )?(?:(?:function )?[\w$]*\s*\(([^)]*)\)|([\w$]+)\s*=>)/.exec(text);
  const own = new Set(
    [head?.[1] ?? head?.[2] ?? '', /^(?:async )?(?:function )?([\w$]+)/.exec(text)?.[1] ?? '']
      .join(' ')
      .match(NAMES),
  );
  for (const [, name] of text.matchAll(/\b(?:const|let|var) ([\w$]+)/g)) own.add(name!);
  return [...new Set(text.match(NAMES) ?? [])].filter((name) => !own.has(name) && !WORDS.has(name));
}

/**
 * The same tools. Where a function `for` uses something from elsewhere, its words in the source come before the words that are
 * compiled: `ofTenant('acme')` and `ofTenant('globex')` make functions with the same words.
 *
 * @param root the folder of the project
 */
export function withSourceWords(
  tools: readonly ToolContract[],
  root: string,
  { entries }: Manifest,
): ToolContract[] {
  return tools.map((tool) => {
    const { for: compiled = '' } = tool;
    if (freeNames(compiled).length === 0) return tool;
    const whom = whomOf(tool.name);
    const source = entries.find(({ key }) => key.includes(`#${whom}.`))?.key.split('#', 1)[0];
    const words = source && wordsIn(textOf(resolve(root, source)), whom.slice(whom.lastIndexOf('.') + 1));
    return words ? { ...tool, for: `${words}: ${compiled}` } : tool;
  });
}

/** The value of `for` in the decorator of a class. */
function wordsIn(source: string, className: string): string | undefined {
  const [decorated] = source.split(new RegExp(`\\bclass ${className.replace(/\$/g, '\\$')}\\b`), 1);
  const decorator = decorated!.slice(decorated!.lastIndexOf('@McpService'));
  const start = /\bfor\s*:/.exec(decorator);
  if (!start || decorated === source) return undefined;
  const value = decorator.slice(start.index + start[0].length);
  let depth = 0;
  for (let at = 0; at < value.length; at++) {
    const sign = value[at]!;
    if (depth === 0 && /[,}]/.test(sign)) return value.slice(0, at).replace(/\s+/g, ' ').trim();
    if (/[([{]/.test(sign)) depth += 1;
    if (/[)\]}]/.test(sign)) depth -= 1;
  }
  return undefined;
}
