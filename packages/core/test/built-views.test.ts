import type { Manifest } from '@toolwright/manifest';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot, problemsOf, serviceModule, temporaryPackages } from './support/booting.js';
import { StatelessWire } from './wire/stateless-wire.js';

const makePackage = temporaryPackages();
const html = '<!doctype html><title>Chart</title>';
const digest = createHash('sha256').update(html).digest('hex');
const key = 'src/charts.ts#Charts';

const method = (ui: string) =>
  `@McpTool({ annotations: { readOnlyHint: true }, ui: ${ui} }) find(query) { return query; }`;
const VIEW = `{ view: './views/chart.tsx', prefersBorder: true, csp: { connectDomains: ['https://b.example'] } }`;

/** What the build of a view leaves in the manifest. */
const chart = {
  uri: 'ui://views/chart',
  view: './views/chart.tsx',
  file: 'mcp.views.json',
  page: 'chart',
  sha256: digest,
  csp: { connectDomains: ['https://a.example'] },
};

function packageWith({
  ui = VIEW,
  views = [chart],
  pages = { chart: html } as object | null,
  body = method,
  methods = { find: ['query'] } as Record<string, string[]>,
} = {}) {
  const manifest: Manifest = {
    ...handMadeManifest({ file: 'src/charts.ts', name: 'Charts', methods }),
    ...(views.length > 0 && { extensions: { '@toolwright/views': { [key]: views } } }),
  };
  const files = {
    'dist/charts.js': serviceModule('Charts', body(ui)),
    ...(pages && { 'mcp.views.json': JSON.stringify(pages) }),
  };
  return { services: Object.values(makePackage(files, manifest).load('dist/charts.js')) };
}

it('serves the page that the build made of a view, with its settings and what its source loads', async () => {
  const server = await boot(packageWith());
  const wire = new StatelessWire(server);
  const [tool] = (await wire.request('tools/list')).result.tools;
  expect(tool._meta.ui).toEqual({ resourceUri: 'ui://views/chart' });
  const [content] = (await wire.request('resources/read', { uri: 'ui://views/chart' })).result.contents;
  expect(content).toMatchObject({
    mimeType: 'text/html;profile=mcp-app',
    text: html,
    _meta: {
      ui: { prefersBorder: true, csp: { connectDomains: ['https://a.example', 'https://b.example'] } },
    },
  });
  await server.close(0);
});

describe('two tools with one view', () => {
  const other = `{ view: './views/chart.tsx', csp: { connectDomains: ['https://c.example'] } }`;
  const two = {
    body: (ui: string) => `${method(ui)}\n${method(other).replace('find(', 'search(')}`,
    methods: { find: ['query'], search: ['query'] },
  };

  it('have one page, with the settings of both', async () => {
    const server = await boot(packageWith(two));
    const wire = new StatelessWire(server);
    const { tools } = (await wire.request('tools/list')).result;
    expect(tools.map(({ _meta }: any) => _meta.ui.resourceUri)).toEqual(Array(2).fill('ui://views/chart'));
    const [{ _meta }] = (await wire.request('resources/list')).result.resources;
    const connectDomains = ['https://a.example', 'https://b.example', 'https://c.example'];
    expect(_meta.ui).toEqual({ prefersBorder: true, csp: { connectDomains } });
    await server.close(0);
  });

  it('have one problem, when its page is missing', async () => {
    const problems = await problemsOf(packageWith({ ...two, pages: null }));
    expect(problems.map(({ code }) => code)).toEqual(['TW_VIEW_UNBUILT']);
  });
});

it('knows of a page what it was made of, and publishes nothing of it', async () => {
  const server = await boot(packageWith());
  const built = { view: './views/chart.tsx', bytes: html.length, at: expect.any(Number) };
  expect(server.resources.list()).toMatchObject([{ uri: 'ui://views/chart', built }]);
  const { resources } = (await new StatelessWire(server).request('resources/list')).result;
  expect(JSON.stringify(resources)).not.toContain('chart.tsx');
  await server.close(0);
});

it('reads the file of the pages once, however many classes have views', async () => {
  const names = ['Charts', 'Others'];
  const classes = names.map((name) => ({
    file: 'src/charts.ts',
    name,
    methods: { [`find${name}`]: ['query'] },
  }));
  const views = names.map((name, index) => [
    `src/charts.ts#${name}`,
    [{ ...chart, uri: `ui://views/chart-${index}` }],
  ]);
  const manifest: Manifest = {
    ...handMadeManifest(...classes),
    extensions: { '@toolwright/views': Object.fromEntries(views) as object },
  };
  const source = (name: string) => serviceModule(name, method(VIEW).replace('find(', `find${name}(`));
  const loaded = makePackage(
    {
      'dist/charts.js': source('Charts'),
      'dist/others.js': source('Others'),
      'mcp.views.json': JSON.stringify({ chart: html }),
    },
    manifest,
  );
  const services = ['charts', 'others'].flatMap((file) => Object.values(loaded.load(`dist/${file}.js`)));
  const read = jest.spyOn(fs, 'readFileSync');
  const server = await boot({ services });
  const reads = read.mock.calls.filter(([path]) => String(path).endsWith('mcp.views.json'));
  read.mockRestore();
  expect(server.resources.list()).toHaveLength(2);
  expect(reads).toHaveLength(1);
  await server.close(0);
});

it('serves the tool without a page, when its manifest was compiled on the fly', async () => {
  const { services } = packageWith({ views: [], pages: null });
  const manifest = handMadeManifest({ file: 'src/charts.ts', name: 'Charts', methods: { find: ['query'] } });
  const server = await boot({ services, manifest });
  const [tool] = (await new StatelessWire(server).request('tools/list')).result.tools;
  expect(tool._meta?.ui).toBeUndefined();
  await server.close(0);
});

it.each([
  [
    'names an app and a view',
    { ui: `{ view: './views/chart.tsx', resourceUri: 'ui://a/b' }` },
    'TW_APP_INVALID TW_APP_UNKNOWN',
  ],
  ['has settings of a page without a view', { ui: `{ prefersBorder: true }` }, 'TW_APP_INVALID'],
  ['has a view that was not built', { views: [] }, 'TW_VIEW_UNBUILT'],
  ['has a view whose file is missing', { pages: null }, 'TW_VIEW_UNBUILT'],
  ['has a view whose page was changed', { pages: { chart: `${html}<script>1</script>` } }, 'TW_VIEW_UNBUILT'],
])('does not start when a tool %s', async (_case, options, codes) => {
  const { services } = packageWith(options);
  const problems = await problemsOf({ services });
  expect(problems.map((problem) => problem.code).join(' ')).toBe(codes);
});

it('does not start when a view would get what is marked sensitive, unless the tool says so', async () => {
  const sensitive = (ui: string) =>
    `@McpTool({ annotations: { readOnlyHint: true }, ui: ${ui}, outputSchema: { type: 'object', properties: { pin: { type: 'string', 'x-sensitive': true } } } }) find(query) { return { pin: query }; }`;
  const open = (ui: string) => packageWith({ ui, body: sensitive });
  const problems = await problemsOf(open(VIEW));
  expect(problems).toEqual([
    expect.objectContaining({ code: 'TW_APP_INVALID', message: expect.stringContaining("would get 'pin'") }),
  ]);
  const server = await boot(open(VIEW.replace('{', "{ sensitive: ['pin'],")));
  const [tool] = (await new StatelessWire(server).request('tools/list')).result.tools;
  expect(tool._meta.ui).toEqual({ resourceUri: 'ui://views/chart' });
  await server.close(0);
});

it('refuses a view of a tool that has no source', async () => {
  const server = await boot({});
  const ui = { view: './views/chart.tsx' } as never;
  expect(() => server.tools.add({ name: 'x', description: 'X.', ui, handler: () => 'x' })).toThrow(/view/);
  await server.close(0);
});
