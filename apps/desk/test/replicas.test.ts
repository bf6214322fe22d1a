import { execFileSync } from 'node:child_process';
import { Agent as Connections } from 'node:http';
import { join } from 'node:path';
import { queryAudit } from '@toolwright/audit';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { beginTask, taskWhen } from '../../fleet/src/load/tasks.js';
import { readEvents } from '../../fleet/src/load/event-reader.js';
import { openGet, openPost, openSession, post } from '../../fleet/src/load/wire.js';
import { findProgram, missingText } from '../../fleet/src/processes/find-program.js';
import { builtFile, StartedApp } from '../../pages/test/started-app.js';
import { Agent } from './support/agent.js';
import { approveAs } from './support/approve.js';

const missing = (['initdb', 'postgres'] as const).filter((program) => findProgram(program) === undefined);
const title = 'Two replicas of the desk';

if (missing.length > 0 && process.env.REQUIRE_ALL !== '1') {
  it(`${title}: not tried. ${missingText(missing)}`, () => expect(missing).not.toEqual([]));
} else {
  describe(title, () => {
    const data = temporaryFolder();
    let app: StartedApp;
    let endpoint: string;
    let ann: Agent;
    let approver: (url: string) => Promise<void>;

    beforeAll(async () => {
      app = await StartedApp.start(builtFile('desk', 'main.js'), { DESK_REPLICAS: '2', DESK_DATA: data });
      endpoint = app.url.href;
      ann = await Agent.signIn(endpoint, 'ann', { onPage: (url) => approver(url) });
    });
    afterAll(async () => {
      await ann?.close();
      expect(await app.stop()).toBe(0);
    });

    /** Connections that lead to one replica. */
    async function lineTo(replica: string, at = endpoint, { token } = ann): Promise<Connections> {
      for (;;) {
        const agent = new Connections({ keepAlive: true, maxSockets: 1 });
        const response = await openPost(at, 'tools/list', {}, { user: token, agent });
        response.resume();
        await new Promise((resolve) => response.once('end', resolve));
        if (response.headers['desk-replica'] === replica) return agent;
        agent.destroy();
      }
    }

    it('print the same two lines', () => {
      expect(app.stdout).toEqual([
        `desk listening on ${endpoint}`,
        expect.stringMatching(/^issuer at http:\/\/127\.0\.0\.1:\d+$/),
      ]);
    });

    it.each([{ pin: '2026-07-28' }, 'legacy'] as const)(
      'tell a client of a change, whichever makes it (%j)',
      async (mode) => {
        const watcher = await Agent.signIn(endpoint, 'ann', {}, mode);
        let heard = () => {};
        await watcher.watch('ticket://ACME-3', () => heard());
        for (const replica of ['replica-1', 'replica-2']) {
          const agent = await lineTo(replica);
          const updated = new Promise<void>((resolve) => (heard = resolve));
          const args = { ticketId: 'ACME-3', text: `Sent by ${replica}.` };
          const params = { name: 'reply_to_ticket', arguments: args };
          (await openPost(endpoint, 'tools/call', params, { user: ann.token, agent })).resume();
          await updated;
          agent.destroy();
        }
        expect(JSON.stringify(await watcher.read('ticket://ACME-3'))).toContain('Sent by replica-2.');
        await watcher.close();
      },
    );

    it('serve a session and its stream that the other one has begun, with what was missed meanwhile', async () => {
      const lines = [await lineTo('replica-1'), await lineTo('replica-2')];
      const session = await openSession(endpoint, ann.token);
      const [one, two] = lines.map((agent) => ({ user: ann.token, session, agent }));
      await post(endpoint, 'resources/subscribe', { uri: 'ticket://ACME-1' }, one);
      const reply = (text: string) =>
        post(
          endpoint,
          'tools/call',
          { name: 'reply_to_ticket', arguments: { ticketId: 'ACME-1', text } },
          two,
        );
      const cut = await openGet(endpoint, { user: ann.token, session, agent: lines[0] });
      await reply('The stream of the first replica hears this.');
      const before = await nextChange(cut);
      cut.destroy();
      await reply('Nobody hears this.');
      const resumed = await openGet(
        endpoint,
        { user: ann.token, session, agent: await lineTo('replica-2') },
        before.id,
      );
      expect((await nextChange(resumed)).message).toMatchObject({
        method: 'notifications/resources/updated',
        params: { uri: 'ticket://ACME-1' },
      });
      resumed.destroy();
      for (const agent of lines) agent.destroy();
    });

    it('give one answer about what a tenant did', async () => {
      const writers = new Set<string>();
      const filter = { tenant: 'acme', name: 'reply_to_ticket' };
      for await (const { writer } of queryAudit({ file: [join(data, '*.jsonl')], filter }))
        writers.add(writer);
      expect(writers.size).toBe(2);
    });

    it('do a task that one accepts, and both tell its result', async () => {
      const lines = [await lineTo('replica-1'), await lineTo('replica-2')];
      const [one, two] = lines.map((agent) => ({ user: ann.token, agent }));
      const id = await beginTask(endpoint, 'report_tickets', { days: 5 }, one);
      for (const asking of [two, one]) {
        const { status, result } = await taskWhen(endpoint, id, asking);
        expect([status, result!.structuredContent]).toEqual([
          'completed',
          expect.objectContaining({ days: 5 }),
        ]);
      }
      for (const agent of lines) agent.destroy();
    });

    it('pay back what was approved at whichever shows the page', async () => {
      approver = async (url) => void (await approveAs('bea', url));
      const args = { ticketId: 'ACME-2', invoice: 'A-1002', cents: 400 };
      expect(await ann.data('refund', args)).toMatchObject({ number: 'A-1002', refunded: 400 });
    });

    it('show what they log', async () => {
      const gil = await Agent.signIn(endpoint, 'gil');
      // Nobody opens the page. One of the two has refused ten of these calls then, and warns.
      for (let at = 0; at < 19; at++)
        await gil.call('refund', { ticketId: 'GLOBEX-1', invoice: 'G-2001', cents: 100 });
      while (!app.stderr.some((line) => line.includes('A caller is refused repeatedly')))
        await new Promise((resolve) => setImmediate(resolve));
      await gil.close();
    });

    it('let as many calls of a tenant pass together as its plan says', async () => {
      const own = temporaryFolder();
      const fresh = await StartedApp.start(builtFile('desk', 'main.js'), {
        DESK_REPLICAS: '2',
        DESK_DATA: own,
      });
      const at = fresh.url.href;
      const gil = await Agent.signIn(at, 'gil');
      const lines = [await lineTo('replica-1', at, gil), await lineTo('replica-2', at, gil)];
      const params = { name: 'search_tickets', arguments: { query: 'order' } };
      const calls = Array.from({ length: 90 }, async (_, id) =>
        post(at, 'tools/call', params, { user: gil.token, agent: lines[id % 2], id }),
      );
      const answers = await Promise.all(calls);
      const passed = answers.filter(({ message }) => message?.result && !message.result.isError);
      expect(passed).toHaveLength(60);
      for (const agent of lines) agent.destroy();
      await gil.close();
      expect(await fresh.stop()).toBe(0);
    });

    it('take the program with them when they die, and it says so', async () => {
      const own = temporaryFolder();
      const dying = await StartedApp.start(builtFile('desk', 'main.js'), {
        DESK_REPLICAS: '2',
        DESK_DATA: own,
      });
      const ended = new Promise((resolve) => dying.process.once('close', resolve));
      process.kill(replicasOf(dying.process.pid!), 'SIGKILL');
      expect(await ended).toBe(1);
      expect(dying.stderr.join('\n')).toContain('The replicas have ended');
    });
  });
}

/** The next event of a stream that tells of a change. */
async function nextChange(stream: Parameters<typeof readEvents>[0]) {
  for await (const event of readEvents(stream)) if (event.message?.method) return event;
  throw new Error('The stream has ended.');
}

/** The process that a desk has started for its replicas. */
function replicasOf(parent: number): number {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' });
  const line = children.split('\n').find((each) => each.includes('replicas.js'))!;
  return Number.parseInt(line, 10);
}

it('Without PostgreSQL it ends with one line, which says what to install', async () => {
  const starting = StartedApp.start(builtFile('desk', 'main.js'), {
    DESK_REPLICAS: '2',
    NODE_OPTIONS: `--require ${join(__dirname, 'fixtures/hide-postgres.cjs')}`,
  });
  await expect(starting).rejects.toThrow(
    /^ended with 1:\ndesk cannot start\. Not installed: initdb, postgres\. On Debian and Ubuntu: apt-get install postgresql$/,
  );
});

it('A number of replicas that cannot be is refused before anything is started', async () => {
  const starting = StartedApp.start(builtFile('desk', 'main.js'), { DESK_REPLICAS: 'many' });
  await expect(starting).rejects.toThrow(
    'desk cannot start. DESK_REPLICAS: expected a number from 1 to 16, received "many".',
  );
});
