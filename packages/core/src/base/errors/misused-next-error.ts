import { ToolwrightError } from './toolwright-error.js';

/** A middleware called `next()` too late or twice. The caller gets a generic text. */
export class MisusedNextError extends ToolwrightError {
  readonly code = 'TW_NEXT_MISUSED';

  constructor(middleware: string, when: 'a second time' | 'after the call had ended') {
    super(
      `The middleware "${middleware}" called next() ${when}. It runs what comes after it once: await it, and keep its result.`,
    );
  }
}
