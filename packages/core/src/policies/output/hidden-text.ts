import { definePolicy } from '../define-policy.js';

const ways = ['escape', 'drop', 'keep'] as const;

/** What becomes of hidden characters: written as `\u{…}`, left out, or kept. */
export type HiddenTextMode = (typeof ways)[number];

/**
 * Says for one tool or prompt what becomes of hidden characters in its text: terminal escapes, tag characters outside of
 * flags, changes of direction that do not end. Without it, the server's option `output.hidden` decides. Structured
 * content and the contents of resources are never changed.
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * @HiddenText('keep')
 * readLog(name: string): string { … }
 */
export const HiddenText = definePolicy('hiddenText', {
  appliesTo: ['tool', 'prompt'],
  parse: (mode: HiddenTextMode): HiddenTextMode => {
    if (!ways.includes(mode))
      throw new RangeError(`${JSON.stringify(mode)} is none of ${ways.map((way) => `'${way}'`).join(', ')}.`);
    return mode;
  },
});
