import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { count, size } from '../../../.ci/test/support/proof.js';

// What inputs of a server behind cost, in figures: those that once held the event loop for seconds, and those that are as large as
// a mount allows. A proof writes them down, and no test asserts a duration: a machine that others use would make it fail.

const run = promisify(execFile);

interface Measured {
  readonly name: string;
  /** The longest turn of the event loop. */
  readonly milliseconds: number;
  readonly state: string;
  readonly called: string;
  /** The heap while the mount is there. */
  readonly heap: number;
}

/** Mounts all inputs one after another, in a process of its own with the packages as they are built. */
async function measure(): Promise<readonly Measured[]> {
  const program = join(__dirname, 'support', 'hold-of-loop.mjs');
  const { stdout } = await run(process.execPath, ['--expose-gc', program]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured);
}

test('no input of a server behind holds the event loop for long, and the mount stays small', async () => {
  const rounds: (readonly Measured[])[] = [];
  // The smallest of several figures is the one that other work of the machine has disturbed least.
  while (rounds.length < (size === 1 ? 1 : 3)) rounds.push(await measure());
  const least = (of: keyof Measured) =>
    rounds[0]!.map((_, at) => Math.min(...rounds.map((round) => Number(round[at]![of]))));
  for (const { name, state, called } of rounds.flat())
    expect({ name, state, called }).toEqual({
      name,
      state: 'up',
      called: expect.stringMatching(/^HTTP 200/) as string,
    });
  const heaps = least('heap');
  const grown = (Math.max(...heaps) - heaps[0]!) / 1024 / 1024;
  count('hostile inputs of a mounted server', heaps.length);
  count(
    'longest hold of the event loop by a mounted server, in milliseconds',
    Math.ceil(Math.max(...least('milliseconds'))),
  );
  count('memory of a hostile mount, in MiB', Math.max(1, Math.ceil(grown)));
});
