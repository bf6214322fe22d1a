import { ToolwrightError } from './toolwright-error.js';

/** A middleware called its `next()` when that must not run anything any more. Its caller gets a general text. */
export class MisusedNextError extends ToolwrightError {
  readonly code = 'TW_NEXT_MISUSED';

  constructor(middleware: string, when: 'a second time' | 'after the call had ended') {
    super(
      `The middleware "${middleware}" called next() ${when}. It runs what comes after it once: await it, and keep its result.`,
    );
  }
}
