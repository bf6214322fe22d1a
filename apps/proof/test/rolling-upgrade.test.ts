import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { verifyAudit } from '@toolwright/audit';
import { compareAudit } from '@toolwright/postgres';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { count, size } from '../../../.ci/test/support/proof.js';
import { readEvents } from '../../fleet/src/load/event-reader.js';
import { answerTask, beginTask, getTask, taskWhen, type Task } from '../../fleet/src/load/tasks.js';
import { Traffic } from '../../fleet/src/load/traffic.js';
import { callTool, openGet, openPost, openSession, post } from '../../fleet/src/load/wire.js';
import { PROGRAMS } from '../../fleet/src/processes/node-process.js';
import { describeFleet } from '../../fleet/test/support/describe-fleet.js';
import { buildBefore, present, type Build } from './build-before.js';

interface Change {
  path: string;
  impact: string;
}

/** The proof starts a fleet of the commit before, and replaces it by this checkout under load. */
let before: Build;
const secret = randomBytes(32).toString('base64');
/** The commit before may read a variable for each use. */
const secrets = {
  SECRETS: secret,
  REQUEST_STATE_SECRETS: secret,
  SESSION_SECRETS: secret,
  TASK_SECRETS: secret,
};
const from = async () => {
  before = buildBefore();
  return { workers: 1, environment: { FLEET_PROGRAMS: join(before.folder, 'apps/fleet/dist'), ...secrets } };
};
afterAll(() => before?.remove());

describeFleet('A rolling restart from the commit before to this one', from, (test) => {
  const user = 'ann';
  const many = <T>(make: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 6 * size }, (_, index) => make(index)));
  const doJob = (job: string) => beginTask(test.fleet.url, 'do_job', { job, steps: 2, ms: 1 }, { user });
  const hasQuestion = ({ status }: Task) => status === 'input_required';
  const answer = (name: string) => ({ action: 'accept', content: { name } });

  /** Calls the tool that asks for a name. */
  const ask = (more: object = {}) => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
    return post(test.fleet.url, 'tools/call', { name: 'ask', arguments: {}, _meta, ...more }, { user });
  };
  const askedBefore = async () => {
    const { requestState, inputRequests } = (await ask()).message!.result!;
    const [key] = Object.keys(inputRequests as object);
    return { requestState, inputResponses: { [key!]: answer('Ada') } };
  };

  it('fails no call, and reads what the commit before has stored', async () => {
    const { fleet } = test;
    const { url } = fleet;

    // What the processes of the commit before store: sessions, results, questions, claims, a stream, tasks that wait.
    const sessions = await many(async (index) => {
      const owner = `user-${index}`;
      return { user: owner, session: await openSession(url, owner) };
    });
    const done = await many((index) => doJob(`done ${index}`));
    const results = await Promise.all(done.map((id) => taskWhen(url, id, { user })));
    const questions = await many(() => beginTask(url, 'ask_later', {}, { user }));
    await Promise.all(questions.map((id) => taskWhen(url, id, { user }, hasQuestion)));
    const open = await askedBefore();
    const used = await askedBefore();
    expect((await ask(used)).message?.result).toMatchObject({ resultType: 'complete' });
    await many(() => callTool(url, 'count_call', { key: 'upgrade' }));
    const { lastId, session } = await beginStream();
    for (const worker of fleet.workers) await worker.stop();
    const queued = await many((index) => doJob(`queued ${index}`));

    const traffic = [Traffic.start(url, { lanes: 4, sessions }), Traffic.start(url, { lanes: 4 })];
    for (const part of [...fleet.replicas, ...fleet.workers]) {
      await Promise.all(traffic.map((each) => each.served(100 * size)));
      if (!fleet.workers.includes(part as never)) await part.stop();
      part.programs = PROGRAMS;
      await part.launch();
    }
    await Promise.all(traffic.map((each) => each.served(100 * size)));
    for (const each of traffic) await each.stop();
    const lost = traffic.flatMap((each) => each.lost);
    expect(lost).toEqual([]);

    // Sealed sessions, and what they have in Redis.
    for (const asking of sessions) {
      const { message } = await callTool(url, 'whoami', {}, asking);
      expect(message?.result?.structuredContent).toMatchObject({ principal: asking.user });
    }
    // The stream that broke goes on with the event that was next, and has the result.
    const rest: (object | undefined)[] = [];
    for await (const { message } of readEvents(await openGet(url, { user, session }, lastId)))
      if (message?.result) rest.push(message.result.structuredContent as object);
    expect(rest).toMatchObject([{ instance: 'replica-1', steps: 8 }]);
    // A sealed state that waits for its answer, and the claim of one that was used.
    expect((await ask(open)).message?.result).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
    expect((await ask(used)).message?.error).toBeDefined();
    // Tasks: sealed results, answers to questions, and work that waited on the queue.
    expect(await Promise.all(done.map((id) => getTask(url, id, { user })))).toEqual(results);
    for (const id of questions) {
      const [key] = Object.keys((await getTask(url, id, { user })).inputRequests!);
      await answerTask(url, id, { [key!]: answer('Ada') }, { user });
    }
    for (const id of questions)
      expect((await taskWhen(url, id, { user })).result!.content[0]!.text).toBe('Hello, Ada!');
    for (const id of queued) expect(await taskWhen(url, id, { user })).toMatchObject({ status: 'completed' });
    const counted = await callTool(url, 'count_call', { key: 'upgrade' });
    expect(JSON.stringify(counted.message?.result)).toContain(String(6 * size + 1));

    const calls = traffic.reduce((sum, each) => sum + each.count, 0);
    for (const [figure, value] of Object.entries({
      calls,
      'calls lost': lost.length,
      sessions: sessions.length,
    }))
      count(figure, value);
    count('tasks', done.length + questions.length + queued.length);
  });

  it('goes on with the audit log of the commit before, and PostgreSQL has every record of both', async () => {
    const { fleet } = test;
    for (const part of [...fleet.replicas, ...fleet.workers]) await part.stop();
    let records = 0;
    for (const file of fleet.auditFiles) {
      const report = await verifyAudit({ file });
      expect(report).toMatchObject({ verdict: 'consistent', problems: [] });
      records += report.records;
    }
    const none = { count: 0 };
    expect(await compareAudit({ file: fleet.auditFiles, url: fleet.postgres.url })).toMatchObject({
      equal: true,
      waiting: 0,
      missing: none,
      altered: none,
      extra: none,
    });
    count('audit records', records);
  });

  it('finds nothing in the contract lock of the commit before but what the guide about upgrades names', () => {
    const folder = temporaryFolder();
    const lock = join(folder, 'mcp.lock.json');
    const toolwright = ({ folder: build }: Build, ...args: string[]) =>
      execFileSync(process.execPath, [join(build, 'packages/cli/bin/toolwright.js'), ...args], {
        cwd: join(build, 'apps/fleet'),
        encoding: 'utf8',
      });
    toolwright(before, 'lock', '--out', lock);
    const changes = JSON.parse(toolwright(present, 'diff', '--lock', lock, '--json')) as Change[];
    // Descriptions no longer contain the line breaks of comments.
    expect(changes.filter(({ path, impact }) => path !== '/description' || impact !== 'notable')).toEqual([]);
  });

  it('serves with the manifest of the commit before, or says to build again', () => {
    const boot = `
      const { createMcpServer } = require('@toolwright/core');
      const { IdentityTools, INSTANCE } = require('./dist/tools/identity-tools.js');
      const providers = [{ provide: INSTANCE, useValue: 'x' }];
      createMcpServer({ name: 'x', version: '1', services: [IdentityTools], providers, manifest: process.argv[1] }).then(
        (server) => server.close().then(() => console.log('served')),
        (error) => console.log(error.message),
      );`;
    const heard = execFileSync(
      process.execPath,
      ['-e', boot, join(before.folder, 'apps/fleet/mcp.manifest.json')],
      { cwd: join(present.folder, 'apps/fleet'), encoding: 'utf8' },
    );
    expect(heard).toMatch(/^served\n$|TW_MANIFEST_[^]*toolwright build/);
  });

  /** Begins a call at a replica of the commit before, reads a part of its stream, and leaves it. */
  async function beginStream() {
    const [replica] = test.fleet.replicas;
    const session = await openSession(replica!.url, user);
    const params = { name: 'count_slowly', arguments: { steps: 8, ms: 50 } };
    const events = readEvents(await openPost(replica!.url, 'tools/call', params, { user, session }));
    for await (const { id, message } of events)
      if (id !== undefined && message?.method === 'notifications/message') return { lastId: id, session };
    throw new Error('The stream had no event.');
  }
});
