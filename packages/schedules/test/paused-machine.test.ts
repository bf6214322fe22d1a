import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 3_500;

test('a schedule goes on after a pause of the machine and a jump of its clock, and no moment comes twice', async () => {
  const child = spawn(process.execPath, [join(__dirname, 'fixtures/paused.cjs'), '2027-01-02T02:59:40Z'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const runs: string[] = [];
  let heard = () => {};
  lines.on('line', (line) => {
    if (!line.startsWith('ready')) runs.push(line.replace('2027-01-02T', '').replace('.000Z', ''));
    heard();
  });
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>((resolve) => (heard = resolve));
  };
  const pausedWith = async (jumpMs: number) => {
    child.kill('SIGSTOP');
    const before = runs.length;
    child.stdin.write(`${jumpMs}\n`);
    await delay(PAUSE_MS);
    child.kill('SIGCONT');
    return before;
  };
  const times = (name: string, from = 0) =>
    runs.slice(from).flatMap((run) => (run.startsWith(name) ? [run.split(' ')[1]!] : []));

  await until(() => runs.length >= 2);
  // The hour begins meanwhile, and its run is late by less than a minute.
  const forward = await pausedWith(40_000);
  await until(() => times('hour').length > 0 && times('second', forward).length >= 5);
  expect(times('hour')).toEqual(['03:00:00']);

  const back = await pausedWith(-45_000);
  await until(() => times('second', back).includes('03:00:02'));
  expect(times('hour')).toEqual(['03:00:00']);
  for (const part of [runs.slice(0, back), runs.slice(back)]) expect(new Set(part).size).toBe(part.length);
  child.kill('SIGKILL');
}, 60_000);
