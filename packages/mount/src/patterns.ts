import { escapePattern, getOrMake } from '@toolwright/json';

const compiled = new Map<string, RegExp>();

/** True for a text that a pattern means. `*` is any text, and every other character is itself. */
export function matches(pattern: string, text: string): boolean {
  const expression = getOrMake(compiled, pattern, () => {
    const source = pattern.split('*').map(escapePattern).join('[^]*');
    return new RegExp(`^${source.replace(/(?:\[\^\]\*)+/g, '[^]*')}$`, 'u');
  });
  return expression.test(text);
}

/**
 * True if a list of patterns means one of the texts. A pattern with `!` excludes. A list of exclusions alone means
 * everything else.
 */
export function isSelected(patterns: readonly string[] | undefined, texts: readonly string[]): boolean {
  if (!patterns) return true;
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const isMeant = (pattern: string) => texts.some((text) => matches(pattern, text));
  if (patterns.some((pattern) => pattern.startsWith('!') && isMeant(pattern.slice(1)))) return false;
  return wanted.length === 0 || wanted.some(isMeant);
}

/** By which texts patterns mean something of a server behind. */
export function textsOf(each: Readonly<Record<string, unknown>>, address: string): string[] {
  return [each[address], each['name']].filter((text) => typeof text === 'string');
}

/** The values of all patterns that mean a text, in the order in which they are written. */
export function valuesFor<T>(byPattern: Readonly<Record<string, T>> | undefined, text: string): readonly T[] {
  return Object.entries(byPattern ?? {})
    .filter(([pattern]) => matches(pattern, text))
    .map(([, value]) => value);
}
