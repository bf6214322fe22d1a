import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '@toolwright/core';
import { count, size } from '../../../.ci/test/support/proof.js';
import { rootedPath, type RootedPath } from '../src/index.js';
import { temporaryFolder } from './folder.js';
import { onLinux } from '../../../.ci/test/support/on-platforms.js';

/** The attacker keeps a core busy meanwhile. */
const ROUNDS = 80 * size;

const base = temporaryFolder({ 'outside/secret.txt': 'secret', 'root/inner/secret.txt': 'public' });

/** Exchanges a folder and a link that leads out, without a pause. A folder that `mkdir` made meanwhile gives way. */
const attack = `
  const fs = require('node:fs');
  const [base] = process.argv.slice(1);
  const [inner, aside, link] = ['root/inner', 'aside', 'link'].map((name) => base + '/' + name);
  fs.symlinkSync('../outside', link);
  const put = (what) => {
    for (;;) {
      try { return fs.renameSync(what, inner); } catch {}
      try { fs.rmSync(inner, { recursive: true }); } catch {}
    }
  };
  process.stdout.write('x');
  for (;;) {
    fs.renameSync(inner, aside); put(link);
    fs.renameSync(inner, link); put(aside);
  }`;

const attempts: [string, (files: RootedPath, round: number) => Promise<unknown>][] = [
  ['replace', (files) => files.replace('inner/secret.txt', 'changed')],
  ['mkdir', (files, round) => files.mkdir(`inner/x${round}/y`)],
  ['rename from', (files, round) => files.rename('inner/secret.txt', `stolen${round}`)],
  ['rename to', (files, round) => files.rename(`own${round}`, `inner/own${round}`)],
  ['readdir', async (files) => expect(await files.readdir('inner')).not.toContainEqual(marker)],
  ['stat', async (files) => expect((await files.stat('inner/secret.txt')).size).toBe('public!'.length)],
];
const marker = { name: 'marker', kind: 'file' };

describe('while another process exchanges a folder and a link that leads out', () => {
  onLinux.each(attempts)('%s never reaches what is outside', async (_name, attempt) => {
    await writeFile(join(base(), 'outside/marker'), '');
    await writeFile(join(base(), 'root/inner/secret.txt'), 'public!');
    const files = rootedPath(join(base(), 'root'));
    const attacker = spawn(process.execPath, ['-e', attack, base()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const gone = once(attacker, 'exit');
    try {
      await once(attacker.stdout, 'data');
      for (let round = 0; round < ROUNDS; round += 1) {
        await writeFile(join(base(), `root/own${round}`), '');
        await attempt(files, round).catch((error: unknown) => expect(error).toBeInstanceOf(ToolError));
      }
      expect(attacker.exitCode).toBeNull();
    } finally {
      attacker.kill('SIGKILL');
      await gone;
    }

    count('attempts', ROUNDS);
    expect(await readdir(join(base(), 'outside'))).toEqual(['marker', 'secret.txt']);
    expect(await readFile(join(base(), 'outside/secret.txt'), 'utf8')).toBe('secret');
  });
});
