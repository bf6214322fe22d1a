import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { type ListedTool, type RefereeClient, referees } from '../../pages/test/referees.js';
import { builtFile, StartedApp } from '../../pages/test/started-app.js';
import { hashToken } from '../src/callers/bearer-tokens.js';
import { refusalOf } from './answers.js';

const tokenOf = (name: string) => name.replace(/\W/g, '-');
const all = { scopes: ['plugins:reload', 'issues:write'], claims: { role: 'admin' } };

describe('every tool of the gallery, offered to an operator', () => {
  const folder = temporaryFolder();
  let app: StartedApp;

  beforeAll(async () => {
    const callers = join(folder, 'callers.json');
    // One for each client, since each has limits of its own.
    const entries = referees.map(({ name }) => [hashToken(tokenOf(name)), { subject: name, ...all }]);
    writeFileSync(callers, JSON.stringify(Object.fromEntries(entries)));
    app = await StartedApp.start(builtFile('gallery', 'main.js'), {
      GALLERY_CALLERS: callers,
      GITHUB_TOKEN: 'none',
      GITHUB_REPOSITORY: 'example/teapots',
      GITHUB_API_URL: 'http://127.0.0.1:9',
    });
  });

  afterAll(async () => {
    expect(await app.stop()).toBe(0);
  });

  describe.each(referees)('and called by $name', ({ name: clientName, connect }) => {
    let client: RefereeClient;
    let tools: ListedTool[];

    beforeAll(async () => {
      const headers = { authorization: `Bearer ${tokenOf(clientName)}` };
      client = await connect({ url: app.url }, { headers, answer: () => 'decline' });
      await client.callTool('switch_feature', { feature: 'summaries', on: true });
      ({ tools } = await client.listTools());
    });

    afterAll(() => client.close());

    const refuse = async (tool: string, args: Record<string, unknown>) => {
      const text = refusalOf(await client.callTool(tool, args));
      return { tool, args, text };
    };

    it('is called in a test of its topic', () => {
      const tests = testsOf(join(__dirname, '..', 'src'));
      const untested = tools.map(({ name }) => name).filter((name) => !tests.includes(`'${name}'`));

      // Its table is one of many; `query_pets` stands for all of them.
      expect(untested).toEqual(['query_weather']);
    });

    it('says which argument it does not know', async () => {
      for (const { name } of tools) {
        const refusal = await refuse(name, { nonsense: 1 });
        expect(refusal).toEqual({
          ...refusal,
          text: expect.stringMatching(/nonsense: not a known property/),
        });
      }
    });

    it('says which arguments are missing', async () => {
      for (const { name, inputSchema } of tools) {
        const { required = [] } = inputSchema as { required?: string[] };
        if (required.length === 0) continue;
        const { text } = await refuse(name, {});
        expect({ name, missing: required.filter((each) => !text.includes(each)) }).toEqual({
          name,
          missing: [],
        });
      }
    });

    it('says what each argument should be', async () => {
      for (const { name, inputSchema } of tools) {
        for (const argument of Object.keys(inputSchema.properties ?? {})) {
          // No argument of the gallery is an object.
          const refusal = await refuse(name, { [argument]: {} });
          const hint = expect.stringMatching(
            new RegExp(`^- ${argument}: expected .*received an object`, 'm'),
          );
          expect(refusal).toEqual({ ...refusal, text: hint });
        }
      }
    });
  });
});

function testsOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}
