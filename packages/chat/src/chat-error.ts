import { ToolwrightError } from '@toolwright/core';

/** Every error code of this package, with its meaning. docs/errors.md lists the same codes. */
export const chatErrorCatalogue = {
  TW_CHAT_OFF: 'No model is set, or a setting of it is wrong.',
  TW_CHAT_UNREACHED: 'The address of the model gave no answer, or not in time.',
  TW_CHAT_REFUSED: 'The address of the model refused the request.',
  TW_CHAT_ANSWER: 'The answer of the model has no form that is known, or is too large.',
  TW_CHAT_LIMIT: 'A turn or a chat has reached one of its limits.',
  TW_CHAT_STOPPED: 'A person has stopped the turn.',
  TW_CHAT_CASES: 'The file of cases holds something else, or cannot be written.',
} as const;

export type ChatErrorCode = keyof typeof chatErrorCatalogue;

/** A chat cannot go on. The message is for the person at the console. It never has the key of the model. */
export class ChatError extends ToolwrightError {
  constructor(
    readonly code: ChatErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
