import { readFile, writeFile } from 'node:fs/promises';
import { createMcpServer } from '@toolwright/core';
import { queryAudit } from '../../src/index.js';
import { ManualClock } from '@toolwright/testing';
import { recordingLogger } from '../recording-logger.js';
import { temporaryLog } from '../temporary-log.js';

const log = temporaryLog();

const serve = async (options: object = {}) => {
  const logger = recordingLogger();
  const clock = new ManualClock();
  const audit = { file: log.file, ...options };
  const server = await createMcpServer({
    name: 'x',
    version: '1',
    services: [],
    logger,
    ports: { clock },
    audit,
  });
  await server.close(0);
  return { logger, clock };
};

test("audit: { file } uses the server's logger and clock", async () => {
  const { clock } = await serve();
  const text = await readFile(log.file, 'utf8');
  expect(text).toContain(`"time":${clock.now()}`);
  await writeFile(log.file, '');
  const { logger } = await serve();
  const errors = logger.lines.filter((line) => line.startsWith('error'));
  expect(errors).toEqual([expect.stringContaining('error: The audit log was found damaged')]);
});

test('a filter with a misspelt field is refused instead of finding every record', async () => {
  await serve();
  const filter = { subjct: 'alice' } as never;
  await expect(queryAudit({ file: log.file, filter }).next()).rejects.toThrow(
    `There is no option "filter.subjct". Did you mean 'subject'?`,
  );
});
