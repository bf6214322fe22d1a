import { ConfigurationError, type McpServer, ToolError } from '@toolwright/core';
import { failOn } from './errors.js';
import { findSkills } from './find-skills.js';
import { type SkillResource, resourcesOf } from './skill-resources.js';
import type { SkillsOptions } from './skill-options.js';

/** The folders of skills of one server, and the resources that their files are. */
export class ServedFolders {
  #read: readonly SkillResource[] = [];
  #served: readonly SkillResource[] = [];

  constructor(
    private readonly server: McpServer,
    private readonly folders: readonly SkillsOptions[],
  ) {}

  /** @throws {ConfigurationError} with all that is wrong with the folders. What is served stays as it is */
  async read(): Promise<void> {
    const found = await Promise.all(
      this.folders.map(async (folder) => ({ folder, ...(await findSkills(folder.folder, folder.prefix)) })),
    );
    failOn(found.flatMap(({ problems }) => problems));
    this.#read = found.flatMap(({ folder, skills }) => resourcesOf(skills, folder));
  }

  serve(): void {
    this.server.resources.add([...this.#read]);
    this.#served = this.#read;
  }

  /**
   * Serves the files as they are now. Clients hear of it once.
   *
   * @returns false if there is no folder
   * @throws {ToolError} with all that is wrong with the folders
   */
  async reload(): Promise<boolean> {
    if (this.folders.length === 0) return false;
    try {
      await this.read();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      throw new ToolError(
        error.problems.map(({ message, fix }) => `${message} ${fix ?? ''}`.trim()).join('\n'),
      );
    }
    const gone = new Set(this.#served.map(({ uri }) => uri));
    const removed = this.server.resources.list().filter(({ uri }) => gone.has(uri));
    const wrong: string[] = [];
    this.server.resources.replace(removed, this.#read, (_index, problems) =>
      wrong.push(...problems.map(({ message }) => message)),
    );
    this.#served = this.#read;
    if (wrong.length > 0) throw new ToolError(wrong.join('\n'));
    return true;
  }
}
