import type { Principal } from '@toolwright/core';
import {
  type AnyOptionSchema,
  type Duration,
  type OptionSchema,
  optionRules,
} from '@toolwright/core/options';

const { callback, durationFromZero, either, filledText, group, listOf, oauthScope, required } = optionRules;

/** A folder of skills, and who sees them. */
export interface SkillsOptions {
  /**
   * The folder. Every folder in it that has a `SKILL.md` is a skill. A relative path begins at the working directory of the
   * process.
   */
  folder: string;
  /** What the URIs of the skills begin with: `'acme/billing'` makes `skill://acme/billing/refunds/SKILL.md`. */
  prefix?: string;
  /** The scopes that a caller needs for these skills, as with `@RequireScopes`. Default: none. */
  scopes?: string[];
  /** The callers that these skills are for. For all others they do not exist. Default: everybody. */
  for?: (principal: Principal | undefined) => boolean;
  /** How long a client may keep an entry and a file. Default `'5m'`. 0: they ask again each time. */
  ttl?: Duration;
}

const PREFIX = /^[a-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*$/;

const folderOptions = {
  folder: required(filledText),
  prefix: {
    expected: "segments of a URI such as 'acme/billing'",
    accepts: (value: unknown) =>
      typeof value === 'string' && PREFIX.test(value) && !value.split('/').some((each) => /^\.+$/.test(each)),
  },
  scopes: listOf('a list of scopes', oauthScope),
  for: callback,
  ttl: durationFromZero,
} satisfies OptionSchema<SkillsOptions>;

const folder = either(filledText, group(folderOptions, "an object such as { folder: './skills' }"));

/** The option that the package adds to `createMcpServer`. */
export const skillsOption: AnyOptionSchema = {
  skills: either(folder, listOf('a list of folders', folder)),
};

/** The value of the option `skills`. */
export type SkillsOption = string | SkillsOptions | readonly (string | SkillsOptions)[];

/** The folders that the option names. */
export function foldersOf(value: SkillsOption | undefined): SkillsOptions[] {
  if (value === undefined) return [];
  const all = typeof value === 'string' || !isList(value) ? [value] : value;
  return all.map((each) => (typeof each === 'string' ? { folder: each } : each));
}

function isList(
  value: SkillsOptions | readonly (string | SkillsOptions)[],
): value is readonly (string | SkillsOptions)[] {
  return Array.isArray(value);
}
