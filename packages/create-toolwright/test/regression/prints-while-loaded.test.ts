import { spawnSync } from 'node:child_process';
import { programs, ProjectFolder } from '../../../cli/test/support/project-folder.js';
import { createApp } from '../../src/index.js';

let room: ProjectFolder;
beforeAll(() => {
  room = new ProjectFolder();
  room.install({
    '@toolwright/core': 'packages/core',
    '@toolwright/http': 'packages/http',
    '@toolwright/stdio': 'packages/stdio',
    '@toolwright/testing': 'packages/testing',
    'class-validator': 'packages/cli/node_modules/class-validator',
    'class-transformer': 'packages/cli/node_modules/class-transformer',
    '@types/node': 'node_modules/@types/node',
  });
});
afterAll(() => room.remove());

test.each([
  ['stdio', 'esm'],
  ['stdio', 'cjs'],
  ['both', 'esm'],
  ['both', 'cjs'],
])(
  'a new app for %s as %s keeps standard output for the protocol while modules print',
  (transport, module) => {
    const name = `${transport}-${module}`;
    createApp({ directory: room.path(name), words: { transport, module, db: 'none' } });
    // The latest that is imported, as the source of a package such as dotenv 17 is.
    room.write(`${name}/src/loud.ts`, "console.log('loaded'); process.stdout.write('by the stream\\n');");
    const store = `${name}/src/note-store.ts`;
    room.write(store, `import './loud.js';\n${room.read(store)}`);
    expect(room.nodeIn(name, programs.tsc)).toMatchObject({ status: 0, stdout: '' });
    expect(room.nodeIn(name, programs.toolwright, 'build')).toMatchObject({ status: 0, stderr: '' });
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const { stdout, stderr } = spawnSync(process.execPath, ['dist/main.js', '--stdio'], {
      cwd: room.path(name),
      encoding: 'utf8',
      input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name } } });
    expect(stderr).toContain('loaded\nby the stream\n');
  },
);
