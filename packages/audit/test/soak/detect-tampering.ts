import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '../mutate-log.js';
import { drawAttempt, isDetected, tamperingTargets, writeVariedLog } from '../tampering.js';

/** Tampers this many times with a closed and with an open log. Returns true if verify noticed each time. */
export async function detectTampering(directory: string, attempts: number): Promise<boolean> {
  let missed = 0;
  let made = 0;
  for (const closed of [true, false]) {
    const place = join(directory, closed ? 'closed' : 'open');
    await mkdir(place, { recursive: true });
    await writeVariedLog(join(place, 'audit.jsonl'), { closed });
    const targets = await tamperingTargets(place);
    const seed = Date.now();
    const random = seededRandom(seed);
    for (let done = 0; done < attempts / 2;) {
      const attempt = drawAttempt(targets, random);
      const detected = await isDetected(place, attempt, random);
      if (detected === undefined) continue;
      done += 1;
      made += 1;
      if (detected) continue;
      missed += 1;
      console.log(`missed: ${attempt.mutation.name} of ${attempt.target} (seed ${seed}, attempt ${done})`);
    }
  }
  console.log(`tampering: ${made} times, ${missed} missed`);
  return missed === 0;
}
