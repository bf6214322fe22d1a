import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openAuditSink, verifyAudit } from '../src/index.js';
import { ManualClock } from '@toolwright/testing';
import { mutations, type Mutation, type Random } from './mutate-log.js';
import { sampleEvent } from './sample-event.js';

/** The files that tampering may change: all files of the log, including its head. */
export async function tamperingTargets(directory: string): Promise<string[]> {
  return (await readdir(directory))
    .filter((name) => name.endsWith('.jsonl') || name.endsWith('.head'))
    .sort();
}

/** Writes a log with two files, restarts, checkpoints and batches of different sizes. */
export async function writeVariedLog(file: string, { closed }: { closed: boolean }): Promise<void> {
  for (const restart of [1, 2, 3]) {
    // What a dead process leaves: its files as they are. Its clock stands still, so that it does nothing
    // more.
    const crashes = restart === 3 && !closed;
    const sink = await openAuditSink({
      file,
      rotate: { maxBytes: 20_000 },
      ...(crashes && { clock: new ManualClock() }),
    });
    for (let batch = 0; batch < 6; batch += 1) {
      const name = `tool_${restart}_${batch}`;
      for (let count = 0; count < batch * 2; count += 1) void sink.write(sampleEvent({ name }), 'buffered');
      await sink.write(sampleEvent({ name, event: 'intent' }), 'strict');
    }
    if (crashes) return sink.flush();
    await sink.close();
  }
}

export interface Attempt {
  target: string;
  mutation: Mutation;
}

/** Tampers once, verifies, and restores the file. Undefined if the mutation happened to change nothing. */
export async function isDetected(
  directory: string,
  { target, mutation }: Attempt,
  random: Random,
): Promise<boolean | undefined> {
  const path = join(directory, target);
  const original = await readFile(path);
  const mutated = mutation.apply(original, random);
  if (mutated.equals(original)) return undefined;
  await writeFile(path, mutated);
  try {
    return !(await verifyAudit({ file: join(directory, 'audit.jsonl') })).ok;
  } finally {
    await writeFile(path, original);
  }
}

/** Chooses a file and a mutation at random. The head has no lines to reorder. */
export function drawAttempt(targets: readonly string[], random: Random): Attempt {
  const target = targets[Math.floor(random() * targets.length)]!;
  const bytewise = mutations.filter(({ name }) => name.includes('byte') || name.includes('anywhere'));
  const usable = target.endsWith('.head') ? bytewise : mutations;
  return { target, mutation: usable[Math.floor(random() * usable.length)]! };
}
