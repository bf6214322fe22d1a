import { type McpServer, RequireScopes } from '@toolwright/core';
import { optionRules } from '@toolwright/core/options';
import type { FolderSkill, SkillEntry, SkillFile } from './served-skill.js';
import { skillFile } from './skill-marks.js';
import type { SkillsOptions } from './skill-options.js';

export type SkillResource = Parameters<McpServer['resources']['add']>[0];

const DEFAULT_TTL = '5m';

/** A resource for each file. A file of a nested skill is a file of the outer one, too. */
export function resourcesOf(skills: readonly FolderSkill[], options: SkillsOptions): SkillResource[] {
  const entries = new Map(skills.map((skill) => [skill.uri, entryOf(skill)]));
  const files = new Map(skills.flatMap((skill) => skill.files.map((file) => [file.uri, file])));
  return [...files.values()].map((file) => resourceOf(file, entries.get(file.uri), options));
}

function entryOf({ uri, frontmatter, files }: FolderSkill): SkillEntry {
  return {
    uri,
    frontmatter,
    resources: files.map(({ uri: of, digest, size }) => ({ uri: of, digest, size })),
  };
}

function resourceOf(
  { uri, name, mimeType, size, content }: SkillFile,
  entry: SkillEntry | undefined,
  { ttl = DEFAULT_TTL, scopes = [], for: audience }: SkillsOptions,
): SkillResource {
  const [scope, ...others] = scopes;
  const mark = { ttlMs: optionRules.parseDuration(ttl), ...(entry && { entry }) };
  return {
    uri,
    name: entry?.frontmatter.name ?? name,
    ...(entry && { description: entry.frontmatter.description }),
    mimeType,
    size,
    cache: { ttl, scope: 'public' },
    ...(audience && { for: audience }),
    policies: [
      skillFile.entry(mark),
      ...(scope === undefined ? [] : [RequireScopes.entry(scope, ...others)]),
    ],
    handler: () => content,
  };
}
