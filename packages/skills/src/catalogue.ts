import type { BoundResource } from '@toolwright/core';
import { DirectoryTree } from './directory-tree.js';
import { dynamicFieldsOf, fileMarkOf } from './skill-marks.js';
import type { ServedSkill } from './served-skill.js';

/** All skills of a server, and their folders. */
export interface SkillCatalogue {
  readonly skills: readonly ServedSkill[];
  readonly directories: DirectoryTree;
}

/** How long a client may keep the entry of a skill that is made at run time. */
const READ_ANEW = 0;

/** Finds the skills among the resources of a server. It looks again only after these have changed. */
export class SkillFinder {
  private known:
    { readonly resources: readonly BoundResource[]; readonly catalogue: SkillCatalogue } | undefined;

  /** @param resources the same array until the next change */
  find(resources: readonly BoundResource[]): SkillCatalogue {
    if (this.known?.resources !== resources) this.known = { resources, catalogue: collect(resources) };
    return this.known.catalogue;
  }
}

function collect(resources: readonly BoundResource[]): SkillCatalogue {
  const skills: ServedSkill[] = [];
  const directories = new DirectoryTree();
  for (const resource of resources) {
    const file = fileMarkOf(resource);
    const frontmatter = dynamicFieldsOf(resource);
    if (file?.entry) skills.push({ resource, entry: file.entry, ttlMs: file.ttlMs });
    else if (frontmatter) {
      const entry = { uri: resource.uri, frontmatter, resources: 'dynamic' as const };
      skills.push({ resource, entry, ttlMs: READ_ANEW });
    }
    if (file ?? frontmatter) directories.add(resource);
  }
  return { skills, directories };
}
