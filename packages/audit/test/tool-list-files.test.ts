import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openAuditSink, usageCommand } from '../src/index.js';
import { sampleEvent } from './sample-event.js';
import { temporaryLog } from './temporary-log.js';

const log = temporaryLog();

/** `toolwright usage --tools` with a file. */
async function run(content: string | Buffer) {
  const sink = await openAuditSink({ file: log.file });
  await sink.write(sampleEvent({ name: 'tool_0' }), 'strict');
  await sink.close();
  const tools = join(log.directory, 'tools.json');
  await writeFile(tools, content);
  let [out, err] = ['', ''];
  const console = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    interactive: false,
  };
  const code = await usageCommand.run(log.file, { tools }, console);
  return { code, out, err: err.replace(tools, 'tools.json') };
}

const list = JSON.stringify([{ name: 'tool_0', inputSchema: { type: 'object' } }]);

test.each([
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${list}`)],
  ['UTF-16 of PowerShell', Buffer.from(`\ufeff${list}`, 'utf16le')],
])('reads a file in %s', async (_, content) => {
  expect(await run(content)).toMatchObject({ code: 0, err: '' });
});

test.each(['inputSchema', 'outputSchema'])('refuses an %s that is too deep to be written', async (member) => {
  const deep = `${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;
  expect(await run(`[{ "name": "deep", "inputSchema": {}, "${member}": ${deep} }]`)).toEqual({
    code: 2,
    out: '',
    err: '--tools tools.json: a tool of it has more than 500 levels of objects and lists.\n',
  });
});

test('refuses one page of a list', async () => {
  expect(await run(`{ "tools": ${list}, "nextCursor": "p2" }`)).toMatchObject({
    code: 2,
    err: expect.stringContaining('it is one page of a list'),
  });
});
