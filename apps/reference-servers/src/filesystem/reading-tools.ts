import {
  type integer,
  MaxOutput,
  McpService,
  McpTool,
  structured,
  ToolContext,
  ToolError,
} from '@toolwright/core';
import type { RootedPath } from '@toolwright/safe';
import { AllowedFolders } from './allowed-folders.js';
import { type Media, mediaOf } from './media.js';
import { MAX_ANSWER, MAX_BYTES, readBytes, readHead, readTail, readText } from './read-file.js';
import { answer } from './show.js';

const reads = { readOnlyHint: true, openWorldHint: false };

/** Tools that read files. */
@McpService()
@MaxOutput(MAX_ANSWER)
export class ReadingTools {
  constructor(private readonly allowed: AllowedFolders) {}

  /**
   * The old name of read_text_file.
   * @param tail how many lines from the end
   * @param head how many lines from the start
   */
  @McpTool({ name: 'read_file', title: 'Read File (Deprecated)', annotations: reads })
  readFile(
    path: string,
    ctx: ToolContext,
    /** @minimum 1 */ tail?: integer,
    /** @minimum 1 */ head?: integer,
  ) {
    return this.readTextFile(path, ctx, tail, head);
  }

  /**
   * Read a file as UTF-8 text, or only its first or last lines.
   * @param path an absolute path in an allowed folder, or one relative to the first of them
   * @param tail how many lines from the end; not together with head
   * @param head how many lines from the start
   */
  @McpTool({ name: 'read_text_file', title: 'Read Text File', annotations: reads })
  async readTextFile(
    path: string,
    ctx: ToolContext,
    /** @minimum 1 */ tail?: integer,
    /** @minimum 1 */ head?: integer,
  ) {
    if (head && tail) throw new ToolError('Give head or tail, not both.');
    const files = await this.allowed.of(ctx);
    if (head) return answer(await readHead(files, path, head));
    return answer(await (tail ? readTail(files, path, tail) : readText(files, path)));
  }

  /** Read an image or a sound as such, and any other file as bytes. */
  @McpTool({ name: 'read_media_file', title: 'Read Media File', annotations: reads })
  async readMediaFile(path: string, ctx: ToolContext) {
    const files = await this.allowed.of(ctx);
    const media = mediaOf(await files.resolve(path), await readBytes(files, path));
    return structured<{ content: Media[] }>({ content: [media] }, media);
  }

  /**
   * Read several text files. One that cannot be read does not stop the others.
   * @param paths as for read_text_file
   */
  @McpTool({ name: 'read_multiple_files', title: 'Read Multiple Files', annotations: reads })
  async readMultipleFiles(/** @minItems 1 @maxItems 100 */ paths: string[], ctx: ToolContext) {
    const files = await this.allowed.of(ctx);
    const parts: string[] = [];
    let left = MAX_BYTES;
    for (const path of paths) {
      const part = await this.readOne(files, path, left);
      left -= Buffer.byteLength(part);
      parts.push(part);
    }
    return answer(parts.join('\n---\n'));
  }

  private async readOne(files: RootedPath, path: string, limit: number): Promise<string> {
    try {
      return `${path}:\n${await readText(files, path, Math.max(0, limit))}\n`;
    } catch (error) {
      if (error instanceof ToolError) return `${path}: Error - ${error.message}`;
      throw error;
    }
  }
}
