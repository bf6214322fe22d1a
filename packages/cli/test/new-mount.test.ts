import { compilerOptions } from './support/project-folder.js';
import { toolwright } from './support/recording-terminal.js';
import { SmallProject } from './support/small-project.js';

let project: SmallProject;
beforeEach(() => {
  project = new SmallProject({
    'package.json': { name: 'app', type: 'commonjs' },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/server.ts': `import { createMcpServer } from '@toolwright/core';
export const createServer = () => createMcpServer({ name: 'app', version: '1', services: [] });
`,
  });
});
afterEach(() => project.remove());

test('a file is written that mounts a server, compiles, and says where to call it', async () => {
  const { code, stderr } = await toolwright(
    'new mount --yes git_hub https://api.githubcopilot.com/mcp/',
    project.folder,
  );
  expect(code).toBe(0);
  expect(project.read('src/mount-git-hub.ts')).toBe(`import type { McpServer } from '@toolwright/core';
import { type MountedServer, mountServer } from '@toolwright/mount';

/** Mounts git-hub. What it changes later is held back until \`toolwright lock --app\` or the console accepts it. */
export function mountGitHub(server: McpServer): Promise<MountedServer> {
  return mountServer(server, 'git-hub', {
    url: 'https://api.githubcopilot.com/mcp/',
    prefix: 'git_hub_',
    lock: 'mcp.lock.json',
  });
}
`);
  expect(stderr).toContain('await mountGitHub(server)');
  expect(stderr).toContain('npm install @toolwright/mount');
  await toolwright("new mount --yes files npx -y some-server it's", project.folder);
  expect(project.read('src/mount-files.ts')).toContain(`    command: 'npx',
    args: ['-y', 'some-server', 'it\\'s'],`);
  project.install({ '@toolwright/mount': 'packages/mount' });
  expect(project.compile('--noEmit')).toMatchObject({ status: 0, stdout: '' });
});

test('nothing is overwritten, and a wrong name is refused', async () => {
  const first = await toolwright('new mount --yes crm https://crm.example.com/mcp', project.folder);
  expect(first.code).toBe(0);
  expect(await toolwright('new mount --yes crm https://x.example/mcp', project.folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already exists') as string,
  });
  expect(await toolwright('new mount --yes ../x https://x.example/mcp', project.folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is no name of a mount') as string,
  });
});
