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

/** Mounts inputs one after another, in a process of its own with the packages as they are built. Default: all; a sample has one of four. */
async function measure(...inputs: readonly string[]): Promise<readonly Measured[]> {
  const program = join(__dirname, 'support', 'hold-of-loop.mjs');
  const { stdout } = await run(process.execPath, ['--expose-gc', program, ...inputs]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured);
}

/** How often each input is measured. The smallest figure is the one that other work of the machine has disturbed least. */
const ROUNDS = size === 1 ? 1 : 3;

async function least(measureOnce: () => Promise<readonly Measured[]>) {
  const rounds: (readonly Measured[])[] = [];
  while (rounds.length < ROUNDS) rounds.push(await measureOnce());
  for (const { name, state, called } of rounds.flat())
    expect({ name, state, called }).toEqual({
      name,
      state: 'up',
      called: expect.stringMatching(/^HTTP 200/) as string,
    });
  const of = (what: 'milliseconds' | 'heap') =>
    rounds[0]!.map((_, at) => Math.min(...rounds.map((round) => round[at]![what])));
  return { names: rounds[0]!.map(({ name }) => name), milliseconds: of('milliseconds'), heaps: of('heap') };
}

test('no input of a server behind holds the event loop for long, and the mount stays small', async () => {
  const { names, milliseconds, heaps } = await least(() => measure(...(size === 1 ? ['--sample'] : [])));
  const grown = (Math.max(...heaps) - heaps[0]!) / 1024 / 1024;
  count('hostile inputs of a mounted server', heaps.length);
  count(
    'longest hold of the event loop by a mounted server, in milliseconds',
    Math.ceil(Math.max(...milliseconds)),
  );
  count('memory of a hostile mount, in MiB', Math.max(1, Math.ceil(grown)));

  // What a process does for the first time takes longest: nothing is compiled yet. The sample measures one input so, and the
  // proof those that took more than a sixth of the longest: none was seen to take four times as long in a new process.
  const slow = names.filter((_, at) => milliseconds[at]! > Math.max(...milliseconds) / 6);
  const first: number[] = [];
  for (const name of size === 1 ? names.slice(-1) : slow)
    first.push(...(await least(() => measure(name))).milliseconds);
  count(
    'longest hold by the first hostile input of a process, in milliseconds',
    Math.ceil(Math.max(...first)),
  );
});
