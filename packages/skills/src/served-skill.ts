import type { BoundResource } from '@toolwright/core';
import type { Frontmatter } from './frontmatter.js';

/** A file of a skill, with what its entry says about it (SEP-2640, `SkillResource`). */
export interface SkillFile {
  readonly uri: string;
  /** The last segment of its path, as it is written. */
  readonly name: string;
  readonly digest: string;
  readonly size: number;
  readonly mimeType: string;
  /** A text for what is UTF-8, so that clients get exactly the bytes of the digest. */
  readonly content: string | Buffer;
}

/** A skill of a folder. Nested skills are skills of their own; their files are files of the outer skill, too. */
export interface FolderSkill {
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  readonly files: readonly SkillFile[];
}

/** A skill that a server offers, with the resource that decides who sees it. */
export interface ServedSkill {
  readonly resource: BoundResource;
  /** What `skills/list` and `skills/get` show (SEP-2640, `Skill`). */
  readonly entry: SkillEntry;
  readonly ttlMs: number;
}

/** What clients learn about a skill. */
export interface SkillEntry {
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  /** Each file, or `dynamic` for a skill that is made at run time. */
  readonly resources: readonly Pick<SkillFile, 'uri' | 'digest' | 'size'>[] | 'dynamic';
}

/** The file that each skill begins with. */
export const SKILL_FILE = 'SKILL.md';

/** The folder of a file or of a folder, as a URI: what is before its last slash. */
export function parentOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'));
}
