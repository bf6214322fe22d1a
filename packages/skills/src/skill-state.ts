import type { SkillState } from '@toolwright/json';
import { RequireScopes } from '@toolwright/core';
import type { ServedSkill } from './served-skill.js';

declare module '@toolwright/core/extend' {
  interface ExtraState {
    readonly skills?: readonly SkillState[];
  }
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
