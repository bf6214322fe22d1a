import { lstatSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { runIn } from '../support/recording-terminal.js';
import { compilerOptions } from '../support/project-folder.js';
import { SmallProject } from '../support/small-project.js';

const tools = `import { McpService, McpTool } from '@toolwright/core';

@McpService()
export class NoteTools {
  /**
   * List the notes of the day.
   * @returns {string[]} the titles
   */
  @McpTool({ annotations: { readOnlyHint: true } })
  listNotes(): string[] {
    return [];
  }
}
`;
const main = `import { createMcpServer } from '@toolwright/core';
import { serveStdio } from '@toolwright/stdio';
import { NoteTools } from './note-tools.js';

async function main(): Promise<void> {
  await serveStdio(await createMcpServer({ name: 'notes', version: '1.0.0', services: [NoteTools] }));
}

void main();
`;

let project: SmallProject;
let elsewhere: string;

beforeEach(() => {
  elsewhere = temporaryFolder();
  project = new SmallProject({
    'package.json': { name: 'notes', version: '1.0.0', type: 'module' },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/note-tools.ts': tools,
    'src/main.ts': main,
  });
});
afterEach(async () => {
  await project.leave();
});

/** Moves a file out of the project, and leaves a link to it. */
function moveOut(file: string, text = project.read(file)): string {
  const target = join(elsewhere, 'target');
  writeFileSync(target, text);
  rmSync(project.path(file), { force: true });
  symlinkSync(target, project.path(file));
  return target;
}

test.each([
  // With a character that `lint --fix` removes.
  ['lint --fix', 'src/note-tools.ts', tools.replace('List', 'List\u200b'), ['lint', '--fix']],
  ['new tool', 'src/main.ts', undefined, ['new', 'tool', 'add_note', '--yes']],
  ['build', 'mcp.manifest.json', '{}', ['build']],
  ['lock', 'mcp.lock.json', '{}', ['lock', '--project', 'tsconfig.json']],
])('toolwright %s does not write through a link out of the project', async (_, file, text, words) => {
  project.build();
  const target = moveOut(file, text);
  const before = readFileSync(target, 'utf8');
  const { status, stderr } = await runIn(project.folder, ...words);
  expect(stderr).toContain('does not write through such a link');
  expect(status).not.toBe(0);
  expect(readFileSync(target, 'utf8')).toBe(before);
  expect(lstatSync(project.path(file)).isSymbolicLink()).toBe(true);
  expect(readdirSync(elsewhere)).toEqual(['target']);
});
