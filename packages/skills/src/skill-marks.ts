import { type BoundResource, definePolicy } from '@toolwright/core';
import type { Frontmatter } from './frontmatter.js';
import type { SkillEntry } from './served-skill.js';

/** The name of the policy that `@McpSkill` sets. */
export const DYNAMIC = 'mcpSkill';

/** What `@McpSkill` says: fields of the front matter. */
export type DynamicSkill = Readonly<Record<string, unknown>> & { readonly description?: string };

/** What the resource of a file carries. The resource of a `SKILL.md` has the entry of its skill. */
interface MarkedFile {
  readonly entry?: SkillEntry;
  readonly ttlMs: number;
}

/** Marks the resources that are files of a folder of skills. */
export const skillFile = definePolicy<MarkedFile>('skillFile', { appliesTo: ['resource'] });

/** Reads what `@McpSkill` has set. The decorator is not asked, because it needs the extension, which needs this. */
const dynamicSkill = definePolicy<DynamicSkill>(DYNAMIC);

/** The mark of a file of a folder. */
export function fileMarkOf(resource: Pick<BoundResource, 'policies'>): MarkedFile | undefined {
  return skillFile.of(resource)?.options;
}

/** The front matter of a resource that has `@McpSkill`; `undefined` for all others. */
export function dynamicFieldsOf(
  resource: Pick<BoundResource, 'policies' | 'uri' | 'description'>,
): Frontmatter | undefined {
  const fields = dynamicSkill.of(resource)?.options;
  if (!fields) return undefined;
  const { description = resource.description ?? '' } = fields;
  return { name: skillNameOf(resource.uri), description, ...fields };
}

/** The name of a skill: the segment before `/SKILL.md`. */
export function skillNameOf(uri: string): string {
  return uri.split('/').at(-2) ?? '';
}
