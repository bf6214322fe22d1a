import { statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable, Token, type ToolContext, ToolError } from '@toolwright/core';
import { rootedPaths, type RootedPath } from '@toolwright/safe';

/** What the person who started the server allows. */
export interface Allowance {
  /** Without any, the folders of the client are allowed. */
  folders: readonly string[];
  /** Whether files are allowed whose name begins with a dot. */
  hidden: boolean;
}

export const ALLOWANCE = new Token<Allowance>('allowance');

/** Knows where a call may read and write. */
@Injectable()
export class AllowedFolders {
  constructor(@Inject(ALLOWANCE) private readonly allowance: Allowance) {}

  /**
   * The folders of the client, if it has some, within those of the command line. The client is asked in every
   * call, so a change of its folders counts at once.
   */
  async of(ctx: ToolContext): Promise<RootedPath> {
    const { folders, hidden } = this.allowance;
    const asked = 'roots' in ctx.client.capabilities ? await ctx.roots() : [];
    const usable = asked.flatMap(({ uri }) => folderOf(uri)).filter((folder) => this.allows(folder));
    const allowed = usable.length > 0 ? usable : folders;
    if (allowed.length === 0)
      throw new ToolError('No folder is allowed. The user has to name one, in the client or at the start.');
    return rootedPaths(allowed, { hidden });
  }

  private allows(folder: string): boolean {
    const { folders } = this.allowance;
    return (
      folders.length === 0 || folders.some((above) => !relative(above, folder).split(sep).includes('..'))
    );
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function folderOf(uri: string): string[] {
  try {
    const path = fileURLToPath(uri);
    return isFolder(path) ? [path] : [];
  } catch {
    return []; // Not a folder of this machine.
  }
}
