import type { ToolUi } from '@toolwright/core/options';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { problemsOf, serviceModule, temporaryPackages } from './support/booting.js';

const makePackage = temporaryPackages();

describe('a server does not start', () => {
  const app = `@McpApp({ uri: 'ui://a/page' }) page() { return ''; }`;
  const asApp = (options: string) =>
    `@McpApp({ uri: 'ui://a/page', ...{ ${options} } }) find() { return ''; }`;
  const asTool = (ui: ToolUi | string) => `@McpTool({ ui: ${JSON.stringify(ui)} }) find(query) {} ${app}`;

  it.each([
    ['names an app that nothing serves', asTool('ui://a/pag'), 'TW_APP_UNKNOWN', 'Apps: ui://a/page'],
    [
      'names a resource that is no app',
      `@McpTool({ ui: 'ui://a/text' }) find(query) {} @McpResource({ uri: 'ui://a/text' }) page() {}`,
      'TW_APP_UNKNOWN',
      'Apps: none',
    ],
    ['names another URI', asTool('https://a.example'), 'TW_URI_INVALID', 'is no ui:// URI'],
    ['names no URI', asTool('page'), 'TW_URI_INVALID', 'is not an absolute URI'],
    ['is for nobody', asTool({ visibility: [] }), 'TW_APP_INVALID', 'visibility is []'],
    ['is for a stranger', asTool({ visibility: ['user' as never] }), 'TW_APP_INVALID', '["user"]'],
  ])('if a tool %s', async (_case, body, code, message) => {
    const methodNames = { find: ['query'], page: [] };
    const described = handMadeManifest({ file: 'src/x.ts', name: 'Wrong', methods: methodNames });
    const made = makePackage({ 'dist/wrong.js': serviceModule('Wrong', body) }, described);
    const services = Object.values(made.load('dist/wrong.js'));
    expect(await problemsOf({ services })).toEqual([
      {
        code,
        message: expect.stringContaining(message),
        fix: expect.any(String),
        location: expect.stringMatching(/wrong\.js:\d+:\d+$/),
      },
    ]);
  });

  it.each([
    [`uri: 'https://a.example'`, 'TW_URI_INVALID', 'is no ui:// URI'],
    [`csp: { connectDomains: ['https://a.example/path'] }`, 'TW_APP_INVALID', 'connectDomains'],
    [`csp: { connectDomains: ['*'] }`, 'TW_APP_INVALID', '"*"'],
    [`csp: { connectDomains: ['https:'] }`, 'TW_APP_INVALID', '"https:"'],
    [`csp: { resourceDomains: ["'unsafe-eval'"] }`, 'TW_APP_INVALID', 'unsafe-eval'],
    [`csp: { resourceDomains: ['https://a.example; script-src *'] }`, 'TW_APP_INVALID', 'script-src'],
    [`csp: { resourceDomains: ['https://a.example https://b.example'] }`, 'TW_APP_INVALID', 'b.example'],
    [`csp: { frameDomains: 'https://a.example' }`, 'TW_APP_INVALID', 'frameDomains'],
    [`csp: { scriptDomains: [] }`, 'TW_APP_INVALID', 'scriptDomains'],
    [`permissions: { usb: {} }`, 'TW_APP_INVALID', 'usb'],
    [`permissions: { camera: true }`, 'TW_APP_INVALID', 'camera: true'],
    [`domain: ''`, 'TW_APP_INVALID', 'domain'],
    [`prefersBorder: 'yes'`, 'TW_APP_INVALID', 'prefersBorder'],
  ])('if an app has %s', async (options, code, message) => {
    const described = handMadeManifest({ file: 'src/x.ts', name: 'Wrong', methods: { find: [] } });
    const made = makePackage({ 'dist/wrong.js': serviceModule('Wrong', asApp(options)) }, described);
    const services = Object.values(made.load('dist/wrong.js'));
    const [problem, ...others] = await problemsOf({ services });
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code, location: expect.stringMatching(/wrong\.js:\d+:\d+$/) });
    expect(problem!.message).toContain(message);
  });
});
