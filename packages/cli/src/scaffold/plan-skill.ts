import { dirname, join } from 'node:path';
import { currentText, usageError } from '@toolwright/operate/terminal';
import type { PlannedPiece } from './plan-piece.js';
import { missingPackage } from './plan-registration.js';

interface SkillRequest {
  /** The name as typed. */
  readonly name: string;
  /** Absolute path of the tsconfig. */
  readonly project: string;
  /** Absolute path of the folder of skills. Default: `skills` beside the tsconfig. */
  readonly folder: string | undefined;
}

/**
 * Plans the folder of a skill.
 *
 * @throws {CommandError} if the name cannot be one, or the skill exists
 */
export async function planSkill({ name, project, folder }: SkillRequest): Promise<PlannedPiece> {
  const { projectLayout } = await import('@toolwright/codemod');
  // The specification allows small letters, digits and single hyphens.
  const words = name.replaceAll('_', '-');
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(words) || words.length > 64)
    throw usageError(
      `${name} is no name of a skill: use small letters, digits and hyphens, such as refund-order.`,
    );
  const path = join(folder ?? join(dirname(project), 'skills'), words, 'SKILL.md');
  if (currentText(path) !== undefined) throw usageError(`${path} already exists.`);
  const sources = projectLayout(project).files.map((file) => currentText(file) ?? '');
  return {
    changes: [{ path, before: undefined, after: textOf(words) }],
    notes: [...missingOption(sources), ...missingPackage(dirname(project), '@toolwright/skills')],
  };
}

function textOf(name: string): string {
  const title = name.replaceAll('-', ' ');
  return `---
name: ${name}
description: (Say here what the skill is for, and when to use it.)
---

# ${title[0]!.toUpperCase()}${title.slice(1)}

1. (Say here what the model does first, and with which tool.)
`;
}

function missingOption(sources: readonly string[]): string[] {
  const isServed = sources.some((text) => /\bcreateMcpServer\s*\(/.test(text) && /\bskills\s*:/.test(text));
  return isServed ? [] : ["The server does not serve skills yet: add skills: './skills' to createMcpServer."];
}
