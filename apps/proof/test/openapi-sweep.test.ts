import { createMcpServer } from '@toolwright/core';
import { whereInstalled } from '../../../.ci/test/support/installed.js';
import { count, size } from '../../../.ci/test/support/proof.js';
import { convertVersion2 } from '../../../packages/openapi/src/read/convert-version-2.js';
import { readSpecification } from '../../../packages/openapi/src/read/read-specification.js';
import { checkTools } from '../../../packages/openapi/test/support/check-every-tool.js';
import { StubApi } from '../../../packages/openapi/test/support/stub-api.js';
import { ImportedApp } from './imported-app.js';
import { knownProblems } from './known-problems.js';
import { SAMPLE, specifications } from './specifications.js';

const MOST_TOKENS = 400;
const chosen = process.env.PROOF_ONLY?.split(',');
const tried = specifications.filter(({ name }, index) =>
  chosen ? chosen.includes(name) : size > 1 || index < SAMPLE,
);
const installed = whereInstalled(specifications[0]!.file, 'The specification');

installed.describe.each(tried)(`The specification of $name${installed.note}`, ({ name, file }) => {
  let app: ImportedApp;
  beforeAll(() => {
    app = ImportedApp.create();
  });
  afterAll(() => app.remove());

  it('is imported as code that compiles, builds and lists, and whose requests fit it', async () => {
    const { tools: imported, tokens } = app.import(file);
    app.build();

    const { document } = await readSpecification(file, { convert: convertVersion2 });
    const stub = new StubApi(document);
    const url = await stub.open();
    // The operations with an address of their own lead to the stub, too. Nothing leaves this machine.
    for (const ending of ['', ...Array.from({ length: 20 }, (_, index) => `_${index + 2}`)])
      process.env[`API_BASE_URL${ending}`] = url;
    const server = await createMcpServer({
      name: 'imported',
      version: '1.0.0',
      ...app.load(),
      manifest: app.manifest,
      audit: false,
      rateLimit: false,
    });
    const { tools, wrong } = await checkTools(server, stub);
    await server.close();
    await stub.close();

    expect(tools).toHaveLength(imported);
    expect(tokens.median).toBeLessThanOrEqual(MOST_TOKENS);
    // Each wrong tool is known, with the reason, and each known one is still wrong.
    expect(Object.fromEntries(wrong.map(({ tool, problems }) => [tool, problems.slice(0, 2)]))).toEqual(
      Object.fromEntries(Object.keys(knownProblems[name] ?? {}).map((tool) => [tool, expect.anything()])),
    );

    count('specifications', 1);
    count('tools', tools.length);
    count('tools whose requests do not fit', wrong.length);
    if (name !== 'GitHub') return;
    expect(app.cost.megabytes).toBeLessThan(1_000);
    // Of the processor, so that it does not matter what else the machine does.
    expect(app.cost.seconds).toBeLessThan(20);
    count('CPU seconds to import GitHub', Math.ceil(app.cost.seconds));
    count('MB to import GitHub', app.cost.megabytes);
  });
});
