import { serverToInstall } from './server-to-install.js';

const words = (stdio: string) => ({
  url: new URL('http://127.0.0.1:3000/mcp'),
  stdio,
  name: 'notes',
  env: [],
  header: [],
});
const on = (platform: NodeJS.Platform, stdio: string) => serverToInstall(words(stdio), '/nowhere', platform);

test('on Windows, a host starts npx and its kind through a shell', () => {
  expect(on('win32', 'npx -y @acme/notes')).toEqual({
    name: 'notes',
    command: 'cmd',
    args: ['/c', 'npx', '-y', '@acme/notes'],
  });
  expect(on('win32', 'C:\\tools\\notes.exe --stdio')).toMatchObject({ command: 'C:\\tools\\notes.exe' });
});

test('elsewhere, it starts them as they are', () => {
  expect(on('linux', 'npx -y @acme/notes')).toMatchObject({ command: 'npx', args: ['-y', '@acme/notes'] });
});
