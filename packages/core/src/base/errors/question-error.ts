import { ToolwrightError } from './toolwright-error.js';

/** A method asks for an answer of a type that no build compiled. It is the server's fault: callers get a reference id. */
export class QuestionError extends ToolwrightError {
  override readonly code = 'TW_QUESTION_UNKNOWN';

  constructor(key: string, call: 'elicit' | 'sample') {
    super(
      `No build compiled the question "${key}": its package was not built since ctx.${call}<T>("${key}", …) was written, or its key is computed. Run \`toolwright build\`, or write a schema.`,
    );
  }
}
