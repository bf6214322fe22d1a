import { openAuditSink, verifyAudit } from '../../src/index.js';
import { sampleEvent } from '../sample-event.js';

const VERIFY_BAR = 100_000;
/**
 * The limit for writing the line with its two HMACs, which happens during the call:
 * docs/adr/0100-audit-chain.md.
 */
const PATH_BAR_US = 6;

/** Measures what a record costs the caller, the process and the disk, and how fast a log is verified. */
export async function measureCost(file: string): Promise<boolean> {
  const sink = await openAuditSink({ file });
  const event = sampleEvent({
    loggable: { pageId: 'p-1' },
    result: '{"text":"x"}',
    durationMs: 3.2,
    ip: '192.0.2.1',
  });

  const records = 300_000;
  let onPath = 0n;
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let count = 0; count < records; count += 1) {
    const before = process.hrtime.bigint();
    const room = sink.write(event, 'buffered');
    onPath += process.hrtime.bigint() - before;
    if (room) await room;
  }
  await sink.flush();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const pathUs = Number(onPath) / 1000 / records;
  console.log(
    `buffered: ${pathUs.toFixed(2)} µs on the caller's path, ${((user + system) / records).toFixed(1)} µs of CPU in all`,
  );
  console.log(`buffered: ${Math.round(records / seconds)} records/s when the disk is the limit`);

  for (const callers of [1, 16, 64]) await measureStrict(sink, callers);
  await sink.close();
  const verifyStart = performance.now();
  const report = await verifyAudit({ file });
  const perSecond = report.records / ((performance.now() - verifyStart) / 1000);
  console.log(`verify: ${Math.round(perSecond)} records/s, ok: ${report.ok}`);
  if (perSecond < VERIFY_BAR) console.error(`missed: at least ${VERIFY_BAR} records/s verified`);
  if (pathUs > PATH_BAR_US) console.error(`missed: at most ${PATH_BAR_US} µs on the caller's path`);
  return report.ok && perSecond >= VERIFY_BAR && pathUs <= PATH_BAR_US;
}

async function measureStrict(
  sink: Awaited<ReturnType<typeof openAuditSink>>,
  callers: number,
): Promise<void> {
  const took: number[] = [];
  const start = performance.now();
  const call = async () => {
    for (let count = 0; count < 100; count += 1) {
      const before = performance.now();
      await sink.write(sampleEvent({ event: 'intent' }), 'strict');
      took.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const perSecond = took.length / ((performance.now() - start) / 1000);
  took.sort((a, b) => a - b);
  const at = (part: number) => took[Math.floor(took.length * part)]!.toFixed(2);
  console.log(
    `strict, ${callers} callers: ${Math.round(perSecond)} records/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
}
