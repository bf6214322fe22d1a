import { FOLDER_OBSERVER } from '@toolwright/json';
import { describeFailedStart } from '../../app/child/describe-failure.js';
import type { DevLink, ReadOutcome } from '../messages.js';

interface Reader {
  /** Absolute paths. */
  readonly folders: readonly string[];
  /** Reads the folders again. It throws what is wrong with them, and what is served then stays as it is. */
  readonly changed: () => Promise<unknown>;
}

/** The folders that packages of this process have read. `dev` watches them. */
export class FollowedFolders {
  readonly #readers = new Set<Reader>();

  /** @param read is called after folders were read again */
  constructor(link: Pick<DevLink, 'on' | 'tell'>, read: () => void) {
    (globalThis as Record<symbol, unknown>)[FOLDER_OBSERVER] = (
      folders: readonly string[],
      changed: Reader['changed'],
    ) => {
      const reader = { folders, changed };
      this.#readers.add(reader);
      link.tell({ tell: 'follow', folders });
      return () => void this.#readers.delete(reader);
    };
    link.on(
      'readAgain',
      ({ folders }) =>
        void this.#readAgain(folders).then((outcome) => {
          link.tell({ tell: 'wasRead', outcome });
          if (outcome.is === 'read') read();
        }),
    );
  }

  async #readAgain(folders: readonly string[]): Promise<ReadOutcome> {
    const concerned = [...this.#readers].filter((reader) =>
      reader.folders.some((folder) => folders.includes(folder)),
    );
    const results = await Promise.allSettled(concerned.map(async ({ changed }) => changed()));
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [messageOf(result.reason)] : [],
    );
    return failures.length > 0
      ? { is: 'failed', message: [...new Set(failures)].join('\n') }
      : { is: 'read' };
  }
}

/** What a package says is wrong with a file needs no stack. */
function messageOf(error: unknown): string {
  const isForPeople = error instanceof Error && 'code' in error && String(error.code).startsWith('TW_');
  return isForPeople ? error.message : describeFailedStart(error);
}
