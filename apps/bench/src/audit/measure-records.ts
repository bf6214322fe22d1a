import { openAuditSink } from '@toolwright/audit';
import { sampleEvent } from './sample-event.js';

const rounds = 5;
const records = 20_000;
const strictRecords = 1_000;
const writers = 64;

/** Prints what a record costs who writes it and the process. */
export async function measureRecords(file: string): Promise<void> {
  const sink = await openAuditSink({ file });
  const event = sampleEvent();
  let onPath = Number.POSITIVE_INFINITY;
  let inAll = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const cpu = process.cpuUsage();
    let waited = 0n;
    const start = process.hrtime.bigint();
    for (let count = 0; count < records; count++) {
      const room = sink.write(event, 'buffered');
      if (!room) continue;
      const before = process.hrtime.bigint();
      await room;
      waited += process.hrtime.bigint() - before;
    }
    onPath = Math.min(onPath, Number(process.hrtime.bigint() - start - waited) / 1e3 / records);
    await sink.flush();
    const { user, system } = process.cpuUsage(cpu);
    inAll = Math.min(inAll, (user + system) / records);
  }
  console.log('A record (best of 5 rounds):');
  print('buffered, before its writer goes on', `${onPath.toFixed(2)} µs`);
  print('buffered, CPU of the process until it is stored', `${inAll.toFixed(1)} µs`);
  const strict = await timesOf(strictRecords, 1, async () => void (await sink.write(event, 'strict')));
  print('strict, until it is stored, alone', milliseconds(strict));
  const together = await timesOf(
    strictRecords * 10,
    writers,
    async () => void (await sink.write(event, 'strict')),
  );
  print(`strict, until it is stored, ${writers} at a time`, milliseconds(together));
  await sink.close();
}

/** How long each run took, in milliseconds, the shortest first. */
async function timesOf(count: number, atATime: number, run: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  const runAll = async () => {
    for (let done = 0; done < count / atATime; done++) {
      const start = performance.now();
      await run();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: atATime }, runAll));
  return times.sort((a, b) => a - b);
}

function milliseconds(times: readonly number[]): string {
  const at = (part: number) => times[Math.floor(times.length * part)]!.toFixed(2);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

function print(name: string, value: string): void {
  console.log(`  ${name.padEnd(52)} ${value}`);
}
