import { diskStorage, type LogFile, type LogStorage } from '../src/files/log-storage.js';

/** A real disk that fails or waits when a test says so. */
export class UnreliableStorage implements LogStorage {
  /** The errors that the next operations of each kind throw, until they are removed. */
  readonly failures = new Map<'append' | 'sync' | 'writeAt' | 'open' | 'rename', Error>();
  /** Writes this many bytes of a batch before it fails. */
  partialBytes = 0;
  private gate: Promise<void> = Promise.resolve();
  appends = 0;
  syncs = 0;

  /** Every sync waits until the returned function is called. */
  stall(): () => void {
    let release!: () => void;
    this.gate = new Promise((resolve) => (release = resolve));
    return release;
  }

  async openForAppend(path: string): Promise<LogFile> {
    this.check('open');
    return this.wrap(await diskStorage.openForAppend(path));
  }

  async openForUpdate(path: string): Promise<LogFile> {
    this.check('open');
    return this.wrap(await diskStorage.openForUpdate(path));
  }

  async rename(from: string, to: string): Promise<void> {
    this.check('rename');
    await diskStorage.rename(from, to);
  }

  remove(path: string): Promise<void> {
    return diskStorage.remove(path);
  }

  private wrap(file: LogFile): LogFile {
    return {
      ...file,
      append: async (bytes) => {
        this.appends += 1;
        if (this.failures.has('append')) await file.append(bytes.subarray(0, this.partialBytes));
        this.check('append');
        await file.append(bytes);
      },
      writeAt: async (bytes, position) => {
        this.check('writeAt');
        await file.writeAt(bytes, position);
      },
      sync: async () => {
        this.syncs += 1;
        await this.gate;
        this.check('sync');
        await file.sync();
      },
    };
  }

  private check(operation: 'append' | 'sync' | 'writeAt' | 'open' | 'rename'): void {
    const failure = this.failures.get(operation);
    if (failure) throw failure;
  }
}

export function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
