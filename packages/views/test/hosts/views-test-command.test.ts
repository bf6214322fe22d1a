import { mkdirSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { findChromium, describeInChromium } from '../../../../.ci/test/support/chromium.js';
import { viewsTestCommand, type ViewsConsole } from '../../src/hosts/views-test-command.js';
import { handshake, page } from './hand-made-views.js';

const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

// The command starts its own browser, as it does for users. It is used for every server of this file.
describeInChromium('toolwright views test', () => {
  let server: McpServer;
  let out: string;
  let html: string;

  beforeEach(async () => {
    out = temporaryFolder();
    html = page(handshake);
    server = await createMcpServer({ name: 'city', version: '1.0.0', services: [], logger: silentLogger });
    server.resources.add({ uri: 'ui://city/page', name: 'page', ui: {}, handler: () => html });
    server.tools.add({
      name: 'show_city',
      ui: 'ui://city/page',
      annotations: { readOnlyHint: true },
      outputSchema: { type: 'object', properties: { city: { type: 'string' } } },
      inputSchema: { type: 'object', properties: { city: { type: 'string', examples: ['Seattle'] } } },
      handler: ({ city }) => ({ city }),
    });
  });
  afterEach(async () => {
    await server.close(0);
  });

  async function run(wanted?: string, values: object = {}) {
    const lines: string[] = [];
    const console: ViewsConsole = {
      cwd: __dirname,
      out: (line) => void lines.push(line),
      err: (line) => void lines.push(line),
      json: (value) => void lines.push(JSON.stringify(value)),
      report: (file, name, cases) => void lines.push(JSON.stringify({ file, name, cases })),
      makeFolder: (path) => void mkdirSync(path, { recursive: true }),
      withServer: async (_target, use) => use(await connect(server, { capabilities: { extensions } })),
    };
    const given = { out, browser: findChromium()!, ...values };
    return { code: await viewsTestCommand.run(wanted, given, console), text: lines.join('\n') };
  }

  it('shows a page in four hosts, light and dark, at three widths', async () => {
    const { code, text } = await run();
    expect(text).not.toContain('FAIL');
    expect(code).toBe(0);
    expect(text).toMatch(/ok {3}emulation of Claude, light: first paint after \d+ ms/);
    expect(text).toMatch(/ui:\/\/city\/page \(show_city\): 1\.\d KB, 0\.\d KB compressed/);
    expect(text).toContain('24 pictures');
    expect(await readdir(join(out, 'show_city'))).toHaveLength(24);
    const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
    expect(report.views[0].examinations).toHaveLength(8);
  });

  it('says what is wrong, and exits with 1', async () => {
    html = page(`${handshake} document.querySelector('main').insertAdjacentHTML('beforeend',
      '<img src="data:,"><p style="width: 900px">wide'); console.error('oh no');`);
    const { code, text } = await run('show_city', { host: ['basic-host'], budget: '1', junit: 'views.xml' });
    expect(text).toMatch(
      /^\{"file":"views.xml","name":"toolwright views test","cases":\[\{"name":"emulation of basic-host, light","group":"show_city","problems":\["It weighs/,
    );
    expect(code).toBe(1);
    expect(text).toContain('FAIL emulation of basic-host, dark');
    expect(text).toMatch(/Accessibility: Images must have alternative text \(image-alt\): <img/);
    expect(text).toMatch(/At 320 px, the page is \d+ px wider than its frame\./);
    expect(text).toContain('Error: oh no');
    expect(text).toMatch(/It weighs 1\.\d KB, which is more than the budget of 1\.0 KB\./);
  });

  it('runs nothing that may change something, and says how to run it', async () => {
    const handler = jest.fn(() => 'gone');
    server.tools.add({ name: 'erase_city', ui: 'ui://city/page', handler });
    const { code, text } = await run('erase_city');
    expect(code).toBe(1);
    expect(text).toContain(`FAIL erase_city: it has no readOnlyHint`);
    expect(handler).not.toHaveBeenCalled();
    await run('erase_city', { arguments: '{"erase_city":{}}', host: ['vscode'] });
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it.each([
    [['no_such_view', {}], /No tool shows "no_such_view"/, 1],
    [[undefined, { arguments: '[]' }], /--arguments takes JSON/, 1],
    [[undefined, { budget: 'big' }], /--budget takes a number/, 1],
    [[undefined, { browser: '/no/such/chromium' }], /npx playwright-core install chromium/, 2],
  ] as const)('explains %j', async ([wanted, values], words, code) => {
    const answer = await run(wanted, values);
    expect(answer.text).toMatch(words);
    expect(answer.code).toBe(code);
  });
});
