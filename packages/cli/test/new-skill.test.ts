import { compilerOptions } from './support/project-folder.js';
import { toolwright } from './support/recording-terminal.js';
import { SmallProject } from './support/small-project.js';

let project: SmallProject;
afterEach(() => project.remove());

const app = (options = '') =>
  new SmallProject({
    'package.json': { name: 'app', dependencies: options ? { '@toolwright/skills': '1' } : {} },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/server.ts': `import { createMcpServer } from '@toolwright/core';
export const createServer = () => createMcpServer({ name: 'app', version: '1'${options} });
`,
  });

test('A skill is written, and what the server lacks is named', async () => {
  project = app();
  const { code, stderr } = await toolwright('new skill refund_order --yes', project.folder);
  expect(code).toBe(0);
  expect(project.read('skills/refund-order/SKILL.md')).toBe(`---
name: refund-order
description: (Say here what the skill is for, and when to use it.)
---

# Refund order

1. (Say here what the model does first, and with which tool.)
`);
  expect(stderr).toContain("add skills: './skills' to createMcpServer");
  expect(stderr).toContain('npm install @toolwright/skills');
});

test('Nothing is overwritten, and a wrong name is refused', async () => {
  project = app(", skills: './skills'");
  const first = await toolwright('new skill refunds --yes', project.folder);
  expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining('npm install') });
  expect(await toolwright('new skill refunds --yes', project.folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already exists'),
  });
  for (const name of ['Refunds', '../x', 'a--b', '-a'.padEnd(70, 'x')])
    expect(await toolwright(`new skill --yes -- ${name}`, project.folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no name of a skill'),
    });
});
