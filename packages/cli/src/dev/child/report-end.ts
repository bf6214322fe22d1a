import { describeFailedStart } from '../../app/child/describe-failure.js';
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
  process.on('uncaughtExceptionMonitor', (error) => tell(describeFailedStart(error)));
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
