import { join } from 'node:path';
import { MaxOutput, McpService, McpTool, ToolContext } from '@toolwright/core';
import type { FolderEntry, RootedPath } from '@toolwright/safe';
import { AllowedFolders } from './allowed-folders.js';
import { anyOf } from './glob.js';
import { MAX_ANSWER } from './read-file.js';
import { answer, oneLine, sizeOf } from './show.js';
import { flatten, type Visited, walk } from './walk.js';

const reads = { readOnlyHint: true, openWorldHint: false };

/** Tools that tell what there is. */
@McpService()
@MaxOutput(MAX_ANSWER)
export class ListingTools {
  constructor(private readonly allowed: AllowedFolders) {}

  /** List a folder. Each line begins with [FILE] or [DIR]. */
  @McpTool({ name: 'list_directory', title: 'List Directory', annotations: reads })
  async listDirectory(path: string, ctx: ToolContext) {
    const entries = await (await this.allowed.of(ctx)).readdir(path);
    return answer(entries.map((entry) => `${label(entry)} ${oneLine(entry.name)}`).join('\n'));
  }

  /** List a folder with the sizes of its files. */
  @McpTool({ name: 'list_directory_with_sizes', title: 'List Directory with Sizes', annotations: reads })
  async listDirectoryWithSizes(path: string, ctx: ToolContext, sortBy: 'name' | 'size' = 'name') {
    const files = await this.allowed.of(ctx);
    const sized: (FolderEntry & { size: number })[] = [];
    for (const entry of await files.readdir(path))
      sized.push({ ...entry, size: await sizeInside(files, join(path, entry.name)) });
    sized.sort((a, b) => (sortBy === 'size' ? b.size - a.size : a.name.localeCompare(b.name)));
    const lines = sized.map((entry) => {
      const size = entry.kind === 'folder' ? '' : sizeOf(entry.size).padStart(10);
      return `${label(entry)} ${oneLine(entry.name).padEnd(30)} ${size}`;
    });
    const flat = sized.filter(({ kind }) => kind !== 'folder');
    const total = sizeOf(flat.reduce((sum, { size }) => sum + size, 0));
    const count = `Total: ${flat.length} files, ${sized.length - flat.length} directories`;
    return answer([...lines, '', count, `Combined size: ${total}`].join('\n'));
  }

  /**
   * List a folder and everything below it as JSON: name, type ("file" or "directory"), children.
   * @param excludePatterns globs, or names of files and folders, to leave out
   */
  @McpTool({ name: 'directory_tree', title: 'Directory Tree', annotations: reads })
  async directoryTree(path: string, ctx: ToolContext, /** @maxItems 100 */ excludePatterns: string[] = []) {
    const isExcluded = await anyOf(excludePatterns.flatMap(anywhere));
    const keep = (entry: Visited) => !isExcluded(entry.path);
    const tree = await walk(await this.allowed.of(ctx), path, keep, ctx.signal);
    return answer(JSON.stringify(tree.map(branch), null, 2));
  }

  /**
   * Find files and folders whose path below a folder fits a glob. Returns absolute paths.
   * @param pattern such as `*.md` for this folder alone; `**` stands for any number of folders
   * @param excludePatterns globs to leave out, with all below
   */
  @McpTool({ name: 'search_files', title: 'Search Files', annotations: reads })
  async searchFiles(
    path: string,
    /** @maxLength 1000 */ pattern: string,
    ctx: ToolContext,
    /** @maxItems 100 */ excludePatterns: string[] = [],
  ) {
    const [isWanted, isExcluded] = await Promise.all([anyOf([pattern]), anyOf(excludePatterns)]);
    const files = await this.allowed.of(ctx);
    const root = await files.resolve(path);
    const keep = async (entry: Visited) =>
      !isExcluded(entry.path) && (entry.kind !== 'link' || (await isInside(files, join(path, entry.path))));
    const found = flatten(await walk(files, path, keep, ctx.signal)).filter((entry) => isWanted(entry.path));
    return answer(found.map((entry) => oneLine(join(root, entry.path))).join('\n') || 'No matches found');
  }

  /** Tell size, times, kind and rights of a file or folder. */
  @McpTool({ name: 'get_file_info', title: 'Get File Info', annotations: reads })
  async getFileInfo(path: string, ctx: ToolContext) {
    const found = await (await this.allowed.of(ctx)).stat(path);
    const facts = {
      size: found.size,
      created: found.birthtime,
      modified: found.mtime,
      accessed: found.atime,
      isDirectory: found.isDirectory(),
      isFile: found.isFile(),
      permissions: found.mode.toString(8).slice(-3),
    };
    return answer(
      Object.entries(facts)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    );
  }

  /** Tell which folders are allowed, with all below them. */
  @McpTool({ name: 'list_allowed_directories', title: 'List Allowed Directories', annotations: reads })
  async listAllowedDirectories(ctx: ToolContext) {
    const { roots } = await this.allowed.of(ctx);
    return answer(`Allowed directories:\n${roots.join('\n')}`);
  }
}

const label = ({ kind }: FolderEntry) => (kind === 'folder' ? '[DIR]' : '[FILE]');

/** A pattern without a star also means everything of this name, wherever it is. */
const anywhere = (pattern: string) =>
  pattern.includes('*') ? [pattern] : [pattern, `**/${pattern}`, `**/${pattern}/**`];

function branch({ name, kind, children }: Visited): Record<string, unknown> {
  if (kind !== 'folder') return { name, type: 'file' };
  return { name, type: 'directory', children: children?.map(branch) };
}

/** What a link leads to outside has no size. */
function sizeInside(files: RootedPath, path: string): Promise<number> {
  return files.stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function isInside(files: RootedPath, path: string): Promise<boolean> {
  return files.stat(path).then(
    () => true,
    () => false,
  );
}
