/** What the shell learns from a command. */
export const exitCodes = {
  /** The command did what was asked, and found nothing wrong. */
  ok: 0,
  /** The command ran and the answer is bad news: schema errors, a broken audit chain, a failed call. */
  failed: 1,
  /** The command was not understood: unknown option, missing argument, no such file or tool. */
  usage: 2,
} as const;

/** Ends a command with a message for people; anything else that is thrown is a defect and keeps its stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
  ) {
    super(message);
  }
}
