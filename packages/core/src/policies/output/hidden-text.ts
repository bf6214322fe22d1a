import { kindNames, operationKinds } from '../../base/operation-kinds.js';
import { definePolicy, type Policy } from '../define-policy.js';

/** What happens to hidden characters: they are written as `\u{…}`, left out, or kept. */
export type HiddenTextMode = 'escape' | 'drop' | 'keep';

const ways: readonly HiddenTextMode[] = ['escape', 'drop', 'keep'];

/**
 * Sets what happens to hidden characters in the text of one tool or prompt: terminal escapes, tag characters
 * that are not part of a flag, and changes of text direction that are never closed. Without it, the server's
 * option `output.hidden` applies. Structured content and the contents of resources are never changed.
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * @HiddenText('keep') readLog(name: string): string { … }
 */
export const HiddenText: Policy<[mode: HiddenTextMode], HiddenTextMode> = definePolicy('hiddenText', {
  appliesTo: kindNames.filter((kind) => operationKinds[kind].isCleaned),
  parse: (mode: HiddenTextMode): HiddenTextMode => {
    if (!ways.includes(mode))
      throw new RangeError(`${JSON.stringify(mode)} is none of ${ways.map((way) => `'${way}'`).join(', ')}.`);
    return mode;
  },
});
