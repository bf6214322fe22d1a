import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RefereeClient, referees } from '../../../pages/test/referees.js';
import { refusalOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { TaskClient } from '../../test/task-client.js';
import { dataFolder } from '../data-folder.js';
import { exampleData } from '../example-data.js';
import { ChecksumTools, type FileChecksum } from './checksum-tools.js';

const expected = (file: string): FileChecksum => {
  const content = readFileSync(join(exampleData(), file));
  return { file, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
};
const serve = (folder: string) =>
  ServedTopic.serve({ services: [ChecksumTools], providers: [dataFolder(folder)] });

describe.each(referees)('a long job, waited for by $name', (referee) => {
  let topic: ServedTopic;
  let client: RefereeClient;

  beforeAll(async () => {
    topic = await serve(exampleData());
    client = await topic.connect(referee);
  });

  afterAll(() => topic.close());

  it('gives its result', async () => {
    const { structuredContent } = await client.callTool('checksum_files', { ending: '.tsv' });

    expect(structuredContent).toEqual({ files: [expected('unemployment.tsv')] });
  });

  it('tells how far it is', async () => {
    const heard: { progress: number; total?: number; message?: string }[] = [];
    await client.callTool(
      'checksum_files',
      { ending: '.csv' },
      { onprogress: (each) => void heard.push(each) },
    );

    expect(heard[0]).toEqual({ progress: 0, total: expect.any(Number), message: 'airports.csv' });
  });

  it.each([
    [{ ending: 'csv' }, /ending/],
    [{ ending: '.xyz' }, /Leave "ending" out to take all/],
    [{ ending: '../..' }, /ending/],
  ])('says what to send instead of %j', async (args, hint) => {
    expect(refusalOf(await client.callTool('checksum_files', args))).toMatch(hint);
  });
});

describe('a long job as a task', () => {
  it('is answered at once, and gives its result later', async () => {
    const topic = await serve(exampleData());
    const client = new TaskClient(topic.url);
    const begun = await client.call('checksum_files', { ending: '.tsv' });

    expect(begun).toMatchObject({ resultType: 'task', status: 'working', taskId: expect.any(String) });
    expect(await client.ended(begun.taskId)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { files: [expected('unemployment.tsv')] } },
    });
    await topic.close();
  });

  it('tells what it cannot do when it is asked for the result', async () => {
    const topic = await serve(exampleData());
    const client = new TaskClient(topic.url);
    const { taskId } = await client.call('checksum_files', { ending: '.xyz' });

    expect(await client.ended(taskId)).toMatchObject({ status: 'completed', result: { isError: true } });
    await topic.close();
  });

  it('is refused at once when its arguments are wrong', async () => {
    const topic = await serve(exampleData());

    expect(await new TaskClient(topic.url).call('checksum_files', { ending: 5 })).toMatchObject({
      resultType: 'complete',
      isError: true,
    });
    await topic.close();
  });

  it('stops when it is cancelled', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gallery-long-job-'));
    // Takes no room on the disk, and half an hour to read.
    writeFileSync(join(folder, 'endless.bin'), '');
    truncateSync(join(folder, 'endless.bin'), 2 ** 40);
    const topic = await serve(folder);
    const client = new TaskClient(topic.url);
    const { taskId } = await client.call('checksum_files', {});

    expect(await client.get(taskId)).toMatchObject({ status: 'working' });
    await client.cancel(taskId);
    expect(await client.ended(taskId)).toMatchObject({ status: 'cancelled' });
    expect(await topic.server.drain(20_000)).toBe(true);
    await topic.close();
    rmSync(folder, { recursive: true });
  });
});
