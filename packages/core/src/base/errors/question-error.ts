import { ToolwrightError } from './toolwright-error.js';

/**
 * A method asks a question whose type was not compiled. This is a mistake of the server, so callers get a
 * reference id.
 */
export class QuestionError extends ToolwrightError {
  override readonly code = 'TW_QUESTION_UNKNOWN';

  constructor(key: string, call: 'elicit' | 'sample') {
    super(
      `No build compiled the question "${key}": its package was not built since ctx.${call}<T>("${key}", …) was written, or its key is computed. Run \`toolwright build\`, or write a schema.`,
    );
  }
}
