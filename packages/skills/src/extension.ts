import { ConfigurationError, type McpServer, RequireScopes } from '@toolwright/core';
import type { Extension, ExtensionHost } from '@toolwright/core/extend';
import { optionRules } from '@toolwright/core/options';
import { SkillFinder } from './catalogue.js';
import { type SkillProblem, skillProblem } from './errors.js';
import { findSkills } from './find-skills.js';
import { findFieldProblem } from './frontmatter.js';
import type { FolderSkill, SkillEntry, SkillFile } from './served-skill.js';
import { SKILLS_EXTENSION, skillMethods } from './skill-methods.js';
import { dynamicFieldsOf, skillFile, skillNameOf } from './skill-marks.js';
import { type SkillsOption, type SkillsOptions, foldersOf, skillsOption } from './skill-options.js';

type ResourceDefinition = Parameters<McpServer['resources']['add']>[0];

/** Serves skills. A server starts it by the option `skills`, and by `@McpSkill` on one of its services. */
export const extension: Extension = {
  name: '@toolwright/skills',
  options: skillsOption,
  start: startSkills,
};

const DEFAULT_TTL = '5m';

async function startSkills({ server, options, listed }: ExtensionHost) {
  const folders = foldersOf(options['skills'] as SkillsOption | undefined);
  const read = await Promise.all(
    folders.map(async (folder) => ({ folder, ...(await findSkills(folder.folder, folder.prefix)) })),
  );
  failOn(read.flatMap(({ problems }) => problems));
  const finder = new SkillFinder();
  const catalogue = () => finder.find(server.resources.list());
  return {
    capabilities: [{ name: SKILLS_EXTENSION, settings: { directoryRead: true } }],
    methods: skillMethods({
      catalogue,
      shown: async (request) => new Set(await listed.shown('resources', request)),
      isPerCaller: () => listed.isPerCaller('resources'),
    }),
    ready() {
      server.resources.add(read.flatMap(({ folder, skills }) => resourcesOf(skills, folder)));
      failOn(server.resources.list().flatMap(findDynamicProblem));
    },
  };
}

function failOn(problems: readonly SkillProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** A resource for each file. A file of a nested skill is a file of the outer one, too. */
function resourcesOf(skills: readonly FolderSkill[], options: SkillsOptions): ResourceDefinition[] {
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
): ResourceDefinition {
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

/** What is wrong with a resource that has `@McpSkill`. */
function findDynamicProblem(
  resource: Parameters<typeof dynamicFieldsOf>[0] & { readonly name: string },
): SkillProblem[] {
  const { uri, name } = resource;
  const fields = dynamicFieldsOf(resource);
  if (!fields) return [];
  const problem = uri.endsWith('/SKILL.md')
    ? findFieldProblem(fields, skillNameOf(uri))
    : 'its URI does not end in "/SKILL.md"';
  if (problem === undefined) return [];
  return [
    skillProblem(
      `The skill of the resource "${name}" cannot be served: ${problem}.`,
      "Write @McpResource({ uri: 'skill://daily-report/SKILL.md' }) and @McpSkill({ description: '…' }).",
    ),
  ];
}
