import type { MountSettings } from '../options.js';

/** A server behind has not answered within `connectTimeout`. The text is for the operator. */
export class ConnectTimeout extends Error {
  constructor({ url, connectTimeout }: Pick<MountSettings, 'url' | 'connectTimeout'>) {
    const [what, advice] =
      url === undefined
        ? ['It was started, and did not answer', 'Run its command in a shell to see what it waits for.']
        : ['It did not answer', 'Check its "url".'];
    super(
      `${what} within ${connectTimeout / 1_000} s. ${advice} If it needs longer, raise "connectTimeout" of its mount.`,
    );
  }
}

/**
 * Runs what asks a server behind for the first time, for as long as its mount allows, and not after its mount is closed.
 *
 * @param closed is aborted when the mount is closed
 * @param run ends, and leaves nothing open, when its signal is aborted
 * @throws {ConnectTimeout} when the time is over
 */
export function withinConnectTimeout<T>(
  settings: Pick<MountSettings, 'url' | 'connectTimeout'>,
  closed: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return within(settings.connectTimeout, () => new ConnectTimeout(settings), closed, run);
}

/**
 * @param late what is said when the time is over
 * @throws what `late` gives
 */
export async function within<T>(
  limitMs: number,
  late: () => Error,
  closed: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(late()), limitMs);
  const onClose = () => limit.abort(new Error('The mount is closed.'));
  closed?.addEventListener('abort', onClose, { once: true });
  try {
    return await run(limit.signal);
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    clearTimeout(timer);
    closed?.removeEventListener('abort', onClose);
  }
}
