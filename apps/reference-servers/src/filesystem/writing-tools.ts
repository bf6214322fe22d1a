import { McpService, McpTool, ToolContext, ToolError } from '@toolwright/core';
import { AllowedFolders } from './allowed-folders.js';
import { type Edit, editText, patchOf, withPlainLineEnds } from './edit-text.js';
import { MAX_BYTES, readText } from './read-file.js';
import { answer } from './show.js';

const local = { readOnlyHint: false, openWorldHint: false };

/** Tools that change files and folders. */
@McpService()
export class WritingTools {
  constructor(private readonly allowed: AllowedFolders) {}

  /** Create a text file, or overwrite one completely. */
  @McpTool({
    name: 'write_file',
    title: 'Write File',
    annotations: { ...local, idempotentHint: true, destructiveHint: true },
  })
  async writeFile(path: string, content: string, ctx: ToolContext) {
    await (await this.allowed.of(ctx)).replace(path, content);
    return answer(`Successfully wrote to ${path}`);
  }

  /**
   * Change parts of a text file. Returns the changes as a patch. If one edit does not fit, none is made.
   * @param edits made one after the other
   * @param dryRun only return the patch
   */
  @McpTool({
    name: 'edit_file',
    title: 'Edit File',
    annotations: { ...local, idempotentHint: false, destructiveHint: true },
  })
  async editFile(path: string, edits: Edit[], ctx: ToolContext, dryRun = false) {
    const files = await this.allowed.of(ctx);
    const original = await readText(files, path);
    const before = withPlainLineEnds(original);
    const after = editText(before, edits);
    const patch = await patchOf(await files.resolve(path), before, after);
    if (patch.length > MAX_BYTES)
      throw new ToolError('The patch would be too long. Make fewer edits in one call.');
    // A file from Windows stays one.
    const isFromWindows = original !== before && !/(^|[^\r])\n/.test(original);
    if (!dryRun) await files.replace(path, isFromWindows ? after.replaceAll('\n', '\r\n') : after);
    return answer(patch);
  }

  /** Create a folder, with those above it. It may exist already. */
  @McpTool({
    name: 'create_directory',
    title: 'Create Directory',
    annotations: { ...local, idempotentHint: true, destructiveHint: false },
  })
  async createDirectory(path: string, ctx: ToolContext) {
    await (await this.allowed.of(ctx)).mkdir(path);
    return answer(`Successfully created directory ${path}`);
  }

  /** Move or rename a file or a folder. Nothing is overwritten. */
  @McpTool({
    name: 'move_file',
    title: 'Move File',
    annotations: { ...local, idempotentHint: false, destructiveHint: true },
  })
  async moveFile(source: string, destination: string, ctx: ToolContext) {
    await (await this.allowed.of(ctx)).rename(source, destination);
    return answer(`Successfully moved ${source} to ${destination}`);
  }
}
