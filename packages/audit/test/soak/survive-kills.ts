import { queryAudit, verifyAudit } from '../../src/index.js';
import { runAndKill } from '../run-and-kill.js';

/**
 * Kills a loaded server this many times. Returns true if no acknowledged record is missing and the log was
 * always valid.
 */
export async function surviveKills(file: string, kills: number): Promise<boolean> {
  const acknowledged: string[] = [];
  let broken = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const afterAcks = 1 + Math.floor(Math.random() * 1_000);
    acknowledged.push(...(await runAndKill(file, { writers: 32, afterAcks })));
    if (!(await verifyAudit({ file })).ok) broken += 1;
  }
  const missing = new Set(acknowledged);
  let records = 0;
  for await (const { id } of queryAudit({ file })) {
    missing.delete(id);
    records += 1;
  }
  console.log(
    `kill -9 x ${kills}: ${acknowledged.length} acknowledged, ${records} stored, ${missing.size} lost, ${broken} times not verified`,
  );
  return missing.size === 0 && broken === 0;
}
