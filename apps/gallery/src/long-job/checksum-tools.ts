import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  Concurrency,
  Inject,
  type integer,
  McpService,
  McpTool,
  Timeout,
  ToolContext,
  ToolError,
} from '@toolwright/core';
import type { RootedPath } from '@toolwright/safe';
import { DATA_FOLDER } from '../data-folder.js';

export interface FileChecksum {
  file: string;
  bytes: integer;
  /** Hexadecimal. */
  sha256: string;
}

/** Work that may take longer than a client waits for an answer. */
@McpService()
export class ChecksumTools {
  constructor(@Inject(DATA_FOLDER) private readonly folder: RootedPath) {}

  /**
   * Work out the SHA-256 of each file of the data folder. Returns name, size in bytes and checksum of each. Clients that
   * know tasks get one, and come back for the result.
   * @param ending takes only files whose names end so; all when left out
   */
  @McpTool({
    name: 'checksum_files',
    annotations: { readOnlyHint: true, openWorldHint: false },
    task: 'optional',
  })
  @Timeout('10m')
  @Concurrency({ max: 2 })
  async checksumFiles(
    ctx: ToolContext,
    /** @pattern ^(\.[A-Za-z0-9]{1,10})?$ @examples [".csv"] */ ending: string = '',
  ): Promise<{ files: FileChecksum[] }> {
    const entries = await readdir(this.folder.root, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map(({ name }) => name);
    if (names.length === 0)
      throw new ToolError(`No file ends in "${ending}". Leave "ending" out to take all.`);
    const files: FileChecksum[] = [];
    for (const file of names.sort()) {
      ctx.progress(files.length, names.length, file);
      files.push({ file, ...(await this.checksum(file, ctx.signal)) });
    }
    return { files };
  }

  /** @throws what `signal` was aborted with: the task was cancelled, has expired, or the server stops */
  private async checksum(name: string, signal: AbortSignal): Promise<Omit<FileChecksum, 'file'>> {
    const file = await this.folder.open(name);
    const { size } = await file.stat();
    const hash = createHash('sha256');
    await pipeline(file.createReadStream(), hash, { signal });
    return { bytes: size, sha256: hash.digest('hex') };
  }
}
