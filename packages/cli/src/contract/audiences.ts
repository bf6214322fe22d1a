import type { ToolContract } from './lock-file.js';

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
