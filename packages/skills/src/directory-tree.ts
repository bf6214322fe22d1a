import type { BoundResource } from '@toolwright/core';
import { getOrMake, present } from '@toolwright/json';
import { parentOf } from './served-skill.js';

const DIRECTORY = 'inode/directory';

/** What a directory read shows of a child (the protocol's `Resource`). */
export interface DirectoryChild {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly description?: string;
  readonly size?: number;
}

/** The folders of all skills, as `resources/directory/read` shows them. */
export class DirectoryTree {
  /** The files below each folder, at any depth. */
  private readonly below = new Map<string, BoundResource[]>();

  add(resource: BoundResource): void {
    for (let at = parentOf(resource.uri); at !== 'skill:/' && at !== 'skill:'; at = parentOf(at)) {
      getOrMake(this.below, at, () => []).push(resource);
    }
  }

  /**
   * The children of a folder that somebody may see. A folder without any does not exist for this caller.
   *
   * @returns undefined for anything else than a folder
   */
  children(uri: string, isListed: (file: BoundResource) => boolean): DirectoryChild[] | undefined {
    const files = this.below.get(uri)?.filter(isListed) ?? [];
    if (files.length === 0) return undefined;
    const found = new Map<string, DirectoryChild>();
    for (const file of files) {
      const [segment] = file.uri.slice(uri.length + 1).split('/', 1) as [string];
      const child = `${uri}/${segment}`;
      found.set(child, child === file.uri ? asChild(file) : asFolder(child, segment));
    }
    return [...found.values()];
  }
}

function asFolder(uri: string, segment: string): DirectoryChild {
  return { uri, name: decodeURIComponent(segment), mimeType: DIRECTORY };
}

function asChild({ uri, name, mimeType, description, size }: BoundResource): DirectoryChild {
  return present({ uri, name, mimeType: mimeType ?? 'text/plain', description, size });
}
