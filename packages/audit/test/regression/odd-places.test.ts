import { execFileSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { requireOwnFile } from '../../src/files/require-own-file.js';
import { openAuditSink } from '../../src/index.js';
import { temporaryLog } from '../temporary-log.js';
import { onLinux, onPosix } from '../../../../.ci/test/support/on-platforms.js';

const log = temporaryLog();
/** The folder before and after a log was refused there. */
async function refused(file: string, folder: string): Promise<unknown> {
  const before = await readdir(folder);
  const error: unknown = await openAuditSink({ file }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(await readdir(folder)).toEqual(before);
  return error;
}

const because = (reason: string) => ({
  code: 'TW_AUDIT_UNAVAILABLE',
  message: expect.stringContaining(`cannot be opened: it is ${reason}`),
});

test('a directory is no log, and nothing is written', async () => {
  await mkdir(log.file);
  expect(await refused(log.file, log.directory)).toMatchObject(because('a directory'));
});

test('the folders of a log are made, also by two processes at once', async () => {
  const file = join(log.directory, 'a/b/c/audit.jsonl');
  const sinks = await Promise.all([openAuditSink({ file }), openAuditSink({ file })]);
  for (const sink of sinks) await sink.close();
  expect(await readdir(join(log.directory, 'a/b/c'))).toContain('audit.jsonl');
});

test.each(['~/audit.jsonl', 'file:///var/log/audit.jsonl'])('%s is no path', async (file) => {
  await expect(openAuditSink({ file })).rejects.toThrow(/"file" must be a path such as/);
});

// Node.js itself never ends there, and takes a whole core for it.
onLinux('a folder that takes no others is an error at boot (Linux only: it needs /proc)', async () => {
  const opening = openAuditSink({ file: '/proc/self/audit/of/pages.jsonl' });
  await expect(opening).rejects.toMatchObject({
    code: 'TW_AUDIT_UNAVAILABLE',
    message: expect.stringContaining('ENOENT'),
  });
});

onPosix('a named pipe or a socket is no log (Windows has none in folders)', async () => {
  const pipe = join(log.directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(await refused(pipe, log.directory)).toMatchObject(because('a named pipe'));
  const socket = join(log.directory, 'socket');
  const server = createServer().listen(socket);
  await new Promise((resolve) => server.once('listening', resolve));
  expect(await refused(socket, log.directory)).toMatchObject(because('a socket'));
  await new Promise((resolve) => server.close(resolve));
});

// Only the check is asked here: a log that is opened on a device renames it, and the machine would lose it.
onPosix.each([
  ['/dev/null', 'a device'],
  ['/dev/audit.jsonl', 'in /dev'],
  ['/proc/self/audit.jsonl', 'in /proc'],
  ['/dev/fd/audit.jsonl', 'in /proc'],
])('%s is no place for a log and its keys (Windows has no devices in folders)', async (file, reason) => {
  await expect(requireOwnFile(file)).rejects.toMatchObject(because(reason));
});
