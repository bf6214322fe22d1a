import type { DevLink } from '../messages.js';

/** How many characters at the end of standard error are remembered. */
const REMEMBERED = 4_000;

/**
 * Tells `dev` why the app ends: the error that nobody caught; otherwise, if the exit code is not 0, what the app wrote
 * last on standard error.
 */
export function reportEnd(link: Pick<DevLink, 'tell'>): void {
  let hasReported = false;
  const tell = (message: string): void => {
    if (!hasReported) link.tell({ tell: 'failed', message });
    hasReported = true;
  };
  const written = rememberErrors();
  process.on('uncaughtExceptionMonitor', (error) => tell(describeFailure(error)));
  process.on('exit', (code) => {
    if (code !== 0) tell(written() || `The app has ended with exit code ${code}.`);
  });
}

/** @returns the end of what was written on standard error since then */
function rememberErrors(): () => string {
  const { stderr } = process;
  const write = stderr.write.bind(stderr) as (...args: unknown[]) => boolean;
  let end = '';
  stderr.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    end = (end + text).slice(-REMEMBERED);
    return write(chunk, ...more);
  };
  return () => end.trim();
}

/** Parts of the stack that are not code of the app. */
const INSIDE = /\n\s+at [^\n]*(?:node:internal|running-servers|@toolwright|packages\/core\/)/;
/** How many nested causes of an error are shown. */
const MOST_CAUSES = 5;

/** An error for the person who works on the app, with its causes: without the stack lines of Node.js and of ours. */
export function describeFailure(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const own = 'problems' in error ? error.message : stackOf(error);
  if (error.cause === undefined || depth === MOST_CAUSES) return own;
  return `${own}\nCause: ${describeFailure(error.cause, depth + 1)}`;
}

function stackOf(error: Error): string {
  const [text = ''] = (error.stack ?? error.message).split(INSIDE);
  return text;
}
