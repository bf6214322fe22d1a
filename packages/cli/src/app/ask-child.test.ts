import { askChild } from './ask-child.js';

const ask = (code: string, more: { patienceMs?: number } = {}) =>
  askChild({ args: ['-e', code], cwd: __dirname, named: 'dist/main.js', ...more });

test('code that never ends is stopped, and the message has the limit', async () => {
  await expect(ask('for (;;);', { patienceMs: 1_500 })).rejects.toThrow(
    /^dist\/main\.js cannot be loaded: its code did not come to an end in 1\.5 s$/,
  );
});

test('code that ends the process is told with what it wrote, wherever it wrote it', async () => {
  await expect(ask("console.log('no database'); process.exit(3)")).rejects.toThrow(
    'dist/main.js cannot be loaded: its code ended the process with 3, as process.exit(3) does: no database',
  );
});

test('a process that the code started holds nothing up', async () => {
  const holder =
    "require('node:child_process').spawn('sleep', ['5'], { stdio: 'inherit' }).unref(); process.exit(4)";
  await expect(ask(holder)).rejects.toThrow('ended the process with 4');
});

test('what the code prints, holds open and leaves running does not reach the command', async () => {
  const code =
    "console.log('{'); setInterval(() => {}, 1000); process.send({ is: 'seen', snapshot: {} }, () => process.exit())";
  await expect(ask(code)).resolves.toEqual({ is: 'seen', snapshot: {} });
});
