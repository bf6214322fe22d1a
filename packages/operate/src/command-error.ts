/** The exit codes of the commands. */
export const exitCodes = {
  /** The command did what was asked and found nothing wrong. */
  ok: 0,
  /** The command ran, but its answer is bad news: schema errors, a broken audit chain, a failed call. */
  failed: 1,
  /**
   * The command could not be understood: an unknown option, a missing argument, or a file or tool that does
   * not exist.
   */
  usage: 2,
} as const;

/** Ends a command with a message for people. Any other error is a defect, and its stack is printed. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
  ) {
    super(message);
  }
}

/** Ends a command that could not be understood. */
export const usageError = (message: string) => new CommandError(message, exitCodes.usage);

/** Says what to install. */
export function notInstalled(name: string, isForDevelopment = false): CommandError {
  const words = isForDevelopment ? `--save-dev ${name}` : name;
  return new CommandError(
    `This folder has no ${name}. Run the command in the folder of the app, or install it: npm install ${words}`,
  );
}

/** Ends a command whose reader wants no more, as with `| head`. It has not failed. */
export class ReaderLeft extends Error {
  override readonly name = 'ReaderLeft';
}

const notYours = ' Your user may not do that there: give it the right, or use another folder.';

/** What to do about errors of files whose names alone do not say it. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: notYours,
  EPERM: notYours,
  EROFS: ' That disk is read-only: use another folder.',
  ENOSPC: ' The disk is full: make room.',
};

/** Errors with one of our codes explain themselves. For all others, a report needs the stack trace. */
export function describeError(error: unknown): string {
  const { code, syscall, path, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  // A file or folder of the person: the stack would be that of this program.
  if (syscall !== undefined && path !== undefined)
    return `${path} cannot be used: ${message?.replace(/, \w+ '[^]*$/, '')} (${syscall}).${remedies[code ?? ''] ?? ''}`;
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommandError) return error.message;
  return typeof code === 'string' && code.startsWith('TW_')
    ? `${code}: ${error.message}`
    : (error.stack ?? error.message);
}
