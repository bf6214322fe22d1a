import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './support/folder.js';
import { call, connect, type Side, textOf } from './support/reference-server.js';
import { onLinux } from '../../../.ci/test/support/on-platforms.js';

const base = temporaryFolder({ 'outside/file.txt': 'secret', 'root/inner/file.txt': 'public' });

/** Exchanges a folder inside and a link that leads out, as another program with rights in the folder could do. */
const attack = `
  const fs = require('node:fs');
  const [base] = process.argv.slice(1);
  const [inner, aside, link] = ['root/inner', 'aside', 'link'].map((name) => base + '/' + name);
  fs.symlinkSync('../outside', link);
  process.stdout.write('x');
  for (;;) {
    fs.renameSync(inner, aside); fs.renameSync(link, inner);
    fs.renameSync(inner, link); fs.renameSync(aside, inner);
  }`;

interface Leak {
  /** The texts that calls returned, in order. */
  readonly read: readonly string[];
  readonly wroteOutside: boolean;
}

/**
 * What the calls gave away, and what they wrote outside.
 *
 * @param until ends the attack before the last round
 */
async function underAttack(side: Side, rounds: number, until = (_: Leak) => false): Promise<Leak> {
  const root = join(base(), 'root');
  const client = await connect('filesystem', side, { args: [root] });
  const attacker = spawn(process.execPath, ['-e', attack, base()], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(attacker, 'exit');
  const seen = new Set<string>();
  const leak = async () => {
    const outside = (await readdir(join(base(), 'outside'))).filter((name) => name.startsWith(side));
    return { read: [...seen].sort(), wroteOutside: outside.length > 0 };
  };
  try {
    await once(attacker.stdout, 'data');
    for (let round = 0; round < rounds; round += 1) {
      const written = `inner/${side}${round}.txt`;
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () =>
          call(client, 'read_text_file', { path: join(root, 'inner/file.txt') }),
        ),
        call(client, 'write_file', { path: join(root, written), content: '' }),
      ]);
      for (const { isError, ...answer } of answers.slice(0, 20))
        if (!isError) seen.add(textOf(answer as (typeof answers)[0]));
      if (until(await leak())) break;
    }
    expect(attacker.exitCode).toBeNull();
  } finally {
    attacker.kill('SIGKILL');
    await gone;
  }
  return leak();
}

// Only Linux lets a program name a file by the folder that it holds open.
onLinux(
  'ours never reads or writes outside while another program exchanges a folder and a link',
  async () => {
    expect(await underAttack('ours', 100)).toEqual({ read: ['public'], wroteOutside: false });
  },
);

onLinux('theirs does, sooner or later', async () => {
  const hasLost = ({ read, wroteOutside }: Leak) => wroteOutside && read.includes('secret');
  expect(hasLost(await underAttack('theirs', 5_000, hasLost))).toBe(true);
});
