import type { Extension, ExtensionHost, ExtensionParts } from '@toolwright/core/extend';
import { SkillFinder } from './catalogue.js';
import { type SkillProblem, failOn, skillProblem } from './errors.js';
import { findFieldProblem } from './frontmatter.js';
import { ServedFolders } from './served-folders.js';
import { SKILLS_EXTENSION, skillMethods } from './skill-methods.js';
import { dynamicFieldsOf, skillNameOf } from './skill-marks.js';
import { type SkillsOption, foldersOf, skillsOption } from './skill-options.js';
import type { SkillState } from '@toolwright/json';
import { RequireScopes } from '@toolwright/core';
import type { ServedSkill } from './served-skill.js';

/** Serves skills. A server starts it by the option `skills`, and by `@McpSkill` on one of its services. */
export const extension: Extension = {
  name: '@toolwright/skills',
  options: skillsOption,
  start: startSkills,
};

async function startSkills({ server, options, listed }: ExtensionHost) {
  const folders = new ServedFolders(server, foldersOf(options['skills'] as SkillsOption | undefined));
  folders.follow();
  await folders.read();
  const finder = new SkillFinder();
  const catalogue = () => finder.find(server.resources.list());
  return {
    capabilities: [{ name: SKILLS_EXTENSION, settings: { directoryRead: true } }],
    methods: skillMethods({
      catalogue,
      shown: async (request) => new Set(await listed.shown('resources', request)),
      isPerCaller: () => listed.isPerCaller('resources'),
    }),
    state: { skills: () => catalogue().skills.map(skillStateOf) },
    operator: {
      'skills.reload': { action: 'reload skills', run: () => folders.reload() },
    },
    close: () => folders.close(),
    ready() {
      folders.serve();
      failOn(server.resources.list().flatMap(findDynamicProblem));
    },
  } satisfies ExtensionParts;
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

declare module '@toolwright/core/extend' {
  interface ExtraState {
    readonly skills?: readonly SkillState[];
  }
}

function skillStateOf({ resource, entry }: ServedSkill): SkillState {
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
