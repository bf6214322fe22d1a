import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { openStores } from './support/open-stores.js';
import { describeWithRedis } from './support/redis-server.js';

const LEASE_MS = 300;
const two = [{ key: 'a', max: 2 }];

describeWithRedis('a process that is suspended for longer than its leases', (server) => {
  let child: ChildProcess;
  let lines: Interface;
  beforeAll(async () => {
    const program = join(__dirname, 'fixtures/suspended.cjs');
    child = spawn(process.execPath, [program, server.url, String(LEASE_MS)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    lines = createInterface(child.stdout!);
    await once(lines, 'line');
  });
  afterAll(async () => {
    child.kill('SIGKILL');
  });
  const leases = () =>
    Number(
      server.cli(
        'ZCOUNT',
        server.keys().find((key) => key.includes('lease'))!,
        '-inf',
        '+inf',
      ),
    );

  it('gives its slot to others meanwhile; resumed, it goes on without an alarm, and no slot is left over', async () => {
    const other = await openStores({ url: server.url, lease: 60_000 });
    expect(await other.leases.acquire(two)).toBeDefined();
    expect(await other.leases.acquire(two)).toBeUndefined();

    child.kill('SIGSTOP');
    let taken;
    while (!(taken = await other.leases.acquire(two)));
    for (let event = 0; event < 50; event++) await other.bus.publish({ type: 'toolsListChanged' });
    const answered = once(lines, 'line');
    child.stdin!.write('a\n');
    child.kill('SIGCONT');
    const [line] = (await answered) as [string];
    expect(JSON.parse(line)).toMatchObject({
      claimed: true,
      session: { subscriptions: [] },
      logged: [],
      up: true,
    });

    // Its call goes on, and so its slot is counted again: three hold a slot until one of them gives it back.
    while (leases() !== 3);
    await taken();
    expect(await other.leases.acquire(two)).toBeUndefined();
    child.stdin!.write('b\n');
    const [last] = (await once(lines, 'line')) as [string];
    expect(JSON.parse(last)).toMatchObject({ claimed: true, heard: 50 });
    await other.close();
  });
});
