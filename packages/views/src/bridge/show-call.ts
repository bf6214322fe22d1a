import type { CallProgress } from './progress.js';
import type { ToolCall } from './tool-call.js';

/** The parts of an element of a browser that are used here. */
export interface StatusElement {
  className: string;
  readonly ownerDocument: { createElement(name: string): unknown };
  replaceChildren(...children: unknown[]): void;
  setAttribute(name: string, value: string): void;
}

interface Bar extends StatusElement {
  max: number;
  value: number;
}

interface Button extends StatusElement {
  type: string;
  textContent: string;
  onclick: () => void;
}

export interface CallWords {
  readonly running: string;
  readonly cancel: string;
  readonly cancelled: string;
}

/** What the component `CallStatus` gets, of React and of Preact. */
export interface CallStatusProps {
  readonly call: Pick<ToolCall, 'snapshot' | 'onChange' | 'cancel'>;
  /** The texts, in place of the English ones. Define them outside of the component. */
  readonly words?: Partial<CallWords>;
}

const english: CallWords = { running: 'Working…', cancel: 'Cancel', cancelled: 'The call was cancelled.' };

/** Draws how far something is: a text and a bar, which moves if nobody knows how much is left. */
export function drawProgress(
  element: StatusElement,
  { text, progress, total }: Partial<Pick<CallProgress, 'progress' | 'total'>> & { text: string },
): void {
  const bar = element.ownerDocument.createElement('progress') as Bar;
  bar.setAttribute('aria-label', text);
  if (total !== undefined) {
    bar.max = total;
    bar.value = progress ?? 0;
  }
  element.replaceChildren(text, ' ', bar);
}

/**
 * Shows in an element how far a call is: its message, a bar, a button that cancels it, and why it failed. The element is
 * empty before the call and after its result.
 *
 * @returns a function that ends it
 */
export function showCall(
  call: Pick<ToolCall, 'snapshot' | 'onChange' | 'cancel'>,
  element: StatusElement,
  words: Partial<CallWords> = {},
): () => void {
  const texts = { ...english, ...words };
  const cancel = element.ownerDocument.createElement('button') as Button;
  cancel.type = 'button';
  cancel.textContent = texts.cancel;
  cancel.onclick = () => call.cancel();
  const line = element.ownerDocument.createElement('span') as StatusElement;
  let before = '';

  const draw = () => {
    const { phase, progress, text } = call.snapshot;
    const isFailure = phase === 'failed';
    if (phase !== before) {
      before = phase;
      element.className = isFailure ? 'tw-state tw-failed' : 'tw-state';
      // Screen readers read a failure at once, and the other states when they have time.
      element.setAttribute('role', isFailure ? 'alert' : 'status');
      // The button stays the same element while the call runs, so that it keeps the focus.
      if (phase === 'running') element.replaceChildren(line, ' ', cancel);
      else if (isFailure) element.replaceChildren(text);
      else if (phase === 'cancelled') element.replaceChildren(texts.cancelled);
      else element.replaceChildren();
    }
    if (phase === 'running') drawProgress(line, { ...progress, text: progress?.message ?? texts.running });
  };

  draw();
  return call.onChange(draw);
}
