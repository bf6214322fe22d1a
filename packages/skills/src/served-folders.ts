import { ConfigurationError, type ConfigurationProblem, type McpServer, ToolError } from '@toolwright/core';
import { failOn } from './errors.js';
import { findSkills } from './find-skills.js';
import type { FolderSkill } from './served-skill.js';
import { type SkillResource, resourcesOf } from './skill-resources.js';
import type { SkillsOptions } from './skill-options.js';
import { resolve } from 'node:path';
import { FOLDER_OBSERVER } from '@toolwright/json';

/** What the files of the folders said when they were read. */
interface ReadFolders {
  readonly resources: readonly SkillResource[];
  /** What tells each resource from the others, in the order of `resources`: folders for different callers may share URIs. */
  readonly sources: readonly string[];
  /** By URI: the digest, and for each folder another one. Folders for different callers may have the same URIs. */
  readonly digests: ReadonlyMap<string, string>;
}

/** The folders of skills of one server, and the resources that their files are. */
export class ServedFolders {
  #read: ReadFolders = { resources: [], sources: [], digests: new Map() };
  /** Missing while the server boots. */
  #served: ReadFolders | undefined;
  #unfollow: () => void = () => undefined;

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
    const resources = found.map(({ folder, skills }) => resourcesOf(skills, folder));
    this.#read = {
      resources: resources.flat(),
      sources: resources.flatMap((all, index) => all.map(({ uri }) => `skills ${index} ${uri}`)),
      digests: digestsOf(found.map(({ skills }) => skills)),
    };
  }

  serve(): void {
    const { resources, sources } = this.#read;
    const wrong: ConfigurationProblem[] = [];
    this.server.resources.replace([], resources, (_index, problems) => wrong.push(...problems), sources);
    if (wrong.length > 0) throw new ConfigurationError(wrong);
    this.#served = this.#read;
  }

  /** Has `toolwright dev` follow edits. It knows the folders before they are read, so that an edit can repair them. */
  follow(): void {
    const folders = this.folders.map(({ folder }) => folder);
    this.#unfollow = followFolders(folders, () => this.reload());
  }

  close(): void {
    this.#unfollow();
  }

  /**
   * Serves the files as they are now. Clients hear once that lists changed, and of each file that they watch and that has
   * other bytes now. If nothing changed, they hear nothing.
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
    const [before, now] = [this.#served, this.#read];
    if (!before || isSame(before.digests, now.digests)) return true;
    const gone = new Set(before.digests.keys());
    const wrong: string[] = [];
    this.server.resources.replace(
      before.sources,
      now.resources,
      (_index, problems) => wrong.push(...problems.map(({ message }) => message)),
      now.sources,
    );
    this.#served = now;
    for (const [uri, digest] of now.digests)
      if (gone.has(uri) && before.digests.get(uri) !== digest) this.server.resourceUpdated(uri);
    if (wrong.length > 0) throw new ToolError(wrong.join('\n'));
    return true;
  }
}

function digestsOf(folders: readonly (readonly FolderSkill[])[]): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  for (const [index, skills] of folders.entries()) {
    const files = new Map(skills.flatMap((skill) => skill.files.map(({ uri, digest }) => [uri, digest])));
    for (const [uri, digest] of files)
      digests.set(uri, `${digests.get(uri) ?? ''} ${index} ${digest}`.trimStart());
  }
  return digests;
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([uri, digest]) => other.get(uri) === digest);
}

type FolderObserver = (folders: readonly string[], changed: () => Promise<unknown>) => () => void;

/**
 * Has `toolwright dev` watch folders.
 *
 * @param changed reads the folders again
 * @returns ends it
 */
function followFolders(folders: readonly string[], changed: () => Promise<unknown>): () => void {
  const observe = (globalThis as Record<symbol, unknown>)[FOLDER_OBSERVER] as FolderObserver | undefined;
  if (folders.length === 0) return () => undefined;
  return (
    observe?.(
      folders.map((folder) => resolve(folder)),
      changed,
    ) ?? (() => undefined)
  );
}
