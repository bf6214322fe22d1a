import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Makes folders of files, which are removed after each test. */
export function skillFolders(): (files: Readonly<Record<string, string | Buffer>>) => string {
  const made: string[] = [];
  afterEach(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));
  return (files) => {
    const folder = mkdtempSync(join(tmpdir(), 'skills-'));
    made.push(folder);
    for (const [path, content] of Object.entries(files)) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    return folder;
  };
}

/** A `SKILL.md`. */
export const skillText = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does what ${name} says.\n${more}---\n\n# ${name}\n`;

/** Skills of every form: alone, nested, with folders, with bytes, with names that URIs write otherwise. */
export const manySkills = {
  'git-workflow/SKILL.md': skillText('git-workflow'),
  'acme/billing/refunds/SKILL.md': skillText(
    'refunds',
    'license: MIT\nmetadata:\n  version: "2.1"\n  reviewed: 2026-09-01\n  strict: no\n',
  ),
  'acme/billing/refunds/templates/letter to all.md': '# Dear customer\n',
  'acme/billing/refunds/templates/seal.png': Buffer.from([137, 80, 78, 71, 0, 255, 254]),
  'acme/billing/refunds/partial/SKILL.md': skillText('partial'),
  'windows/SKILL.md': `\uFEFF${skillText('windows').replaceAll('\n', '\r\n')}`,
};
