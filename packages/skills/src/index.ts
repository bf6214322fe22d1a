export { extension } from './extension.js';
export { skillErrorCatalogue, type SkillErrorCode } from './errors.js';
export { McpSkill, type McpSkillOptions } from './mcp-skill.js';
export type { SkillsOption, SkillsOptions } from './skill-options.js';
export type { SkillState } from '@toolwright/json';
