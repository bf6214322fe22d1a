import { RequireScopes } from '@toolwright/core';
import type { ServedSkill, SkillFile } from './served-skill.js';

declare module '@toolwright/core/extend' {
  interface ExtraState {
    readonly skills?: readonly SkillState[];
  }
}

/** A skill, as operators see it. */
export interface SkillState {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  /** Each file, or `dynamic` for a skill that a method writes. */
  readonly files: readonly Pick<SkillFile, 'uri' | 'digest' | 'size'>[] | 'dynamic';
  /** The scopes that a caller needs. */
  readonly scopes: readonly string[];
  /** True if the skill is for some callers only (`for`). */
  readonly isForSome: boolean;
}

export function skillStateOf({ resource, entry }: ServedSkill): SkillState {
  const { uri, frontmatter, resources } = entry;
  return {
    uri,
    name: frontmatter.name,
    description: frontmatter.description,
    files: resources,
    scopes: [...(RequireScopes.of(resource)?.options.scopes ?? [])],
    isForSome: resource.audience !== undefined,
  };
}
