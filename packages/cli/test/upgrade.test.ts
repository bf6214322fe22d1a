import { compilerOptions } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';

const source = `import { createMcpServer } from '@toolwright/core';
import { mcpExpress, type TrustedIssuer } from '@toolwright/express';

export const issuers: TrustedIssuer[] = [];
export async function start() {
  return mcpExpress(await createMcpServer({ name: 'a', version: '1', services: [], legacy: false }));
}
`;

const byHand = `import * as testing from '@toolwright/testing';

export const open = testing.openClient;
`;

let project: SmallProject;

function open(files: Record<string, string>): SmallProject {
  project = new SmallProject({
    'package.json': { name: 'app', type: 'module' },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    ...files,
  });
  return project;
}

afterEach(() => project.remove());

test('names of earlier releases are shown, and written with --write', () => {
  open({ 'src/start.ts': source });
  const shown = project.toolwright('upgrade');
  expect(shown).toMatchObject({
    status: 0,
    stderr: '1 file to change. Nothing was written. Pass --write to write this.\n',
  });
  expect(shown.stdout).toContain("+import type { TrustedIssuer } from '@toolwright/http';\n");
  expect(project.read('src/start.ts')).toBe(source);

  expect(project.toolwright('upgrade', '--write')).toMatchObject({ status: 0, stderr: '1 file changed.\n' });
  expect(project.read('src/start.ts')).toBe(
    source
      .replace('mcpExpress, type TrustedIssuer }', 'mcpExpress }')
      .replace("express';\n", "express';\nimport type { TrustedIssuer } from '@toolwright/http';\n")
      .replace('legacy: false', 'stateful: false'),
  );
  expect(project.toolwright('upgrade')).toMatchObject({
    status: 0,
    stdout: '',
    stderr: 'Every name is one of today.\n',
  });
});

test('what is left to a person is named with its place, and the command fails', () => {
  open({ 'src/open.ts': byHand });
  expect(project.toolwright('upgrade', '--write')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `src/open.ts:3:29: openClient: @toolwright/testing no longer exports it. Take openClient from @toolwright/client.
0 files changed, 1 place left to you.
`,
  });
});
