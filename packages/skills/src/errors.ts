import { ConfigurationError } from '@toolwright/core';

/** Every error code of this package, with its meaning. docs/errors.md lists the same codes. */
export const skillErrorCatalogue = {
  TW_SKILL_INVALID: 'A skill cannot be served as it is.',
} as const;

export type SkillErrorCode = keyof typeof skillErrorCatalogue;

declare module '@toolwright/core/extend' {
  interface ExtraErrorCodes {
    TW_SKILL_INVALID: true;
  }
}

/** What is wrong with the file or folder of a skill, and what helps. */
export interface SkillProblem {
  readonly code: 'TW_SKILL_INVALID' | 'TW_TEXT_HIDDEN';
  readonly message: string;
  readonly fix: string;
}

export function skillProblem(message: string, fix: string): SkillProblem {
  return { code: 'TW_SKILL_INVALID', message, fix };
}

/** @throws {ConfigurationError} if there are problems */
export function failOn(problems: readonly SkillProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}
