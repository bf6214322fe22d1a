import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { toolwright } from '../../cli/test/support/recording-terminal';
import { openApiTools } from '../src/index';

const petstore = parse(readFileSync(join(__dirname, 'fixtures/petstore.yaml'), 'utf8'));
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Runs a command against a server that has the tools of a specification. */
async function against(spec: object, command: string, include = ['getPet']) {
  const server = await createMcpServer({ name: 'pets', version: '1.0.0', services: [], audit: false });
  await openApiTools(server, { spec, include });
  const { url, close } = await serveHttp(server, { port: 0, signals: false });
  try {
    return await toolwright(`${command} --url ${url}`);
  } finally {
    await close();
  }
}

test('a lock pins what tools promise that were made at run time', async () => {
  const lock = join(folder, 'mcp.lock.json');
  expect((await against(petstore, `lock --out ${lock}`)).code).toBe(0);
  expect(await against(petstore, `diff --lock ${lock}`)).toMatchObject({ code: 0, stdout: 'No changes.\n' });

  const stricter = structuredClone(petstore);
  stricter.paths['/pets/{petId}'].parameters[0].schema.minimum = 100;
  const diff = await against(stricter, `diff --lock ${lock}`);
  expect(diff).toMatchObject({ code: 1, stdout: expect.stringContaining('get_pet') });

  const gone = structuredClone(petstore);
  delete gone.paths['/pets/{petId}'].get;
  gone.paths['/health'] = {
    get: { operationId: 'getHealth', security: [], responses: { 204: { description: 'ok' } } },
  };
  const removed = expect.stringMatching(/breaking +get_pet +the tool was removed/);
  expect(await against(gone, `diff --lock ${lock}`, ['getHealth'])).toMatchObject({
    code: 1,
    stdout: removed,
  });
});
