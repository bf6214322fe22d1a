import { cutText, HIDDEN } from '@toolwright/json';
import type { ChatMessage } from '../model/chat-messages.js';
import type { TurnStep } from '../turns/turn-step.js';

/** A line of a table of `evaluate` of `@toolwright/testing`: what a model read, and the calls that are the right answer. */
export interface ChatCase {
  readonly name: string;
  /** What a person has to know of the case: that values were hidden. */
  readonly note?: string;
  readonly request: string | readonly ChatMessage[];
  readonly expect: readonly {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
}

const NOTE = `Values that are marked sensitive are ${HIDDEN} here. Write others in their place before you run the case.`;

/** As long as a report shows it in a line. */
const LONGEST_NAME = 80;

/**
 * The cases of a turn. Answers without a call that was made are left out: a table says nothing of the words of a model.
 * A turn without any call says that nothing is called.
 */
export function casesOf(steps: readonly TurnStep[]): readonly ChatCase[] {
  const kept = steps.filter(({ calls }, index) => calls.length > 0 || (index === 0 && steps.length === 1));
  return kept.map(({ request, calls }, index) => {
    const asked = request.filter(({ role }) => role === 'user').at(-1)?.text ?? '';
    const name = cutText(asked.trim().replace(/\s+/g, ' '), LONGEST_NAME, '…');
    const isHidden = JSON.stringify([request, calls]).includes(HIDDEN);
    return {
      name: index === 0 ? name : `${name} (${index + 1})`,
      request: request.length === 1 ? asked : request,
      expect: calls,
      ...(isHidden && { note: NOTE }),
    };
  });
}
