import { type BoundResource, type Policy, definePolicy } from '@toolwright/core';
import { stringify } from 'yaml';
import { extension } from './extension.js';
import { DYNAMIC, type DynamicSkill, dynamicFieldsOf } from './skill-marks.js';

/** The front matter of a skill that a method writes. Its name is in the URI. */
export interface McpSkillOptions {
  /** When a model should use the skill. Default: the description of the resource, which is the method's doc comment. */
  description?: string;
  license?: string;
  compatibility?: string;
  metadata?: Record<string, unknown>;
}

/**
 * Makes a skill of a resource whose method writes the instructions: `SKILL.md` without its front matter. Clients get no
 * digest of it, because it may be another text each time. Some hosts load no such skills. See docs/skills.md.
 *
 * @example
 * @McpResource({ uri: 'skill://reports/daily/SKILL.md', name: 'daily', mimeType: 'text/markdown' })
 * @McpSkill({ description: 'Write the report of today. Use it when somebody asks how the day was.' })
 * daily(): string { return `# The report of ${today()} …`; }
 */
export const McpSkill: Policy<[options?: McpSkillOptions], DynamicSkill> = definePolicy(DYNAMIC, {
  appliesTo: ['resource'],
  parse: (options: McpSkillOptions = {}): DynamicSkill => ({ ...options }),
  plan: (_fields, resource) => {
    const before = `---\n${stringify(dynamicFieldsOf(resource as BoundResource), { lineWidth: 0 })}---\n\n`;
    return async (_call, next) => {
      const result = await next();
      const contents = result.contents.map((each) =>
        each.text === undefined ? each : { ...each, text: before + each.text },
      );
      return { ...result, contents };
    };
  },
  extension,
});
