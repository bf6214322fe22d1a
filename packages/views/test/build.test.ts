import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ViewProject } from './support/view-project.js';

let project: ViewProject;
beforeEach(() => (project = new ViewProject()));
afterEach(() => project.remove());

test('pages, types for the editor, and origins are made of the components', () => {
  project.write(
    'src/views/chart.tsx',
    `/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { ViewOf } from '@toolwright/views';
import './chart.css';
const API = 'https://api.example.com/v1';
export default function Chart({ result, view }: ViewOf<'climate', { open: boolean }>) {
  const [rows, setRows] = useState<string[]>([]);
  const more = async () => {
    setRows(await view.call('rows', { from: 3 }));
    await fetch(\`\${API}/rows\`);
    new WebSocket('wss://live.example.com');
  };
  return (
    <section data-open={view.state?.open} title="See http://www.example.org/">
      <img src="https://img.example.com/x.png" alt="" />
      <iframe src="https://frames.example.com/a"></iframe>
      <a href="https://links.example.com">{result.months.length}</a>
      <button onClick={() => void more()}>{rows.length}</button>
    </section>
  );
}
`,
  );
  project.write(
    'src/views/chart.css',
    'h1 { background: url(https://cdn.example.com/a.png); color: light-dark(#123, #def) }',
  );
  expect(project.buildViews()).toMatchObject({ status: 0, stderr: '' });

  const manifest = JSON.parse(project.read('mcp.manifest.json'));
  const [view, ...others] = manifest.extensions['@toolwright/views']['src/climate-tools.ts#ClimateTools'];
  const pages = JSON.parse(project.read('mcp.views.json'));
  expect(others).toEqual([]);
  expect(view).toEqual({
    uri: 'ui://views/chart',
    view: './views/chart.tsx',
    file: 'mcp.views.json',
    page: 'chart',
    sha256: createHash('sha256').update(pages.chart).digest('hex'),
    csp: {
      connectDomains: ['https://api.example.com', 'wss://live.example.com'],
      resourceDomains: ['https://cdn.example.com', 'https://img.example.com'],
      frameDomains: ['https://frames.example.com'],
    },
  });
  expect(pages.chart).not.toMatch(/<script[^>]*src=|<link/);
  // The theme of the host chooses, as it does in `dev`.
  expect(pages.chart).toContain('color:light-dark(#123,#def)');
  const [, script] = /<script type="module">([^]*?)<\/script>/.exec(pages.chart)!;
  const hash = createHash('sha256').update(script!).digest('base64');
  expect(pages.chart).toContain(
    `script-src 'sha256-${hash}' https://cdn.example.com https://img.example.com;`,
  );
  expect(project.read('src/views/views.d.ts')).toContain(
    '"climate": { args: ClimateArguments; result: ClimateResult };',
  );

  // A second build of the same sources writes the same.
  const before = project.read('mcp.views.json');
  expect(project.buildViews().stdout).toMatch(/\(unchanged\)$/m);
  expect(project.read('mcp.views.json')).toBe(before);
});

test('a component that does not fit its tool is reported where it is, and nothing is written', () => {
  const plain = (type: string, body = 'root.textContent = String(result)') =>
    `import type { ViewOf } from '@toolwright/views';\n\nexport default function show({ result }: ${type}, root: HTMLElement) {\n  ${body};\n}\n`;
  project.write(
    'src/views/chart.tsx',
    plain("ViewOf<'climate'>", 'root.textContent = result.town').replace('.tsx', ''),
  );
  project.edit('src/climate-tools.ts', './views/chart.tsx', './views/chart.ts');
  project.write('src/views/chart.ts', plain("ViewOf<'climate'>", 'root.textContent = result.town'));
  expect(project.buildViews()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^src\/views\/chart\.ts:4:29: TS2339: error: .*'town'/m),
  });

  project.write('src/views/chart.ts', plain('{ result: { months: string } }'));
  expect(project.buildViews()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^src\/views\/chart\.ts:3:1: TS2322: error: The component does not fit what "climate" returns/m,
    ),
  });

  // What only the bundler finds is at its own place. A mistake that the compiler finds, too, is told once.
  project.write('src/views/chart.ts', `import './gone.css';\n${plain("ViewOf<'climate'>")}`);
  expect(project.buildViews().stderr).toMatch(
    /^src\/views\/chart\.ts:1:8: TW_VIEW_INVALID: error: The view cannot be built: Could not resolve '\.\/gone\.css' in .*\n1 error/m,
  );
  project.write('src/views/chart.ts', plain("ViewOf<'climate'>", 'root.textContent = ('));
  expect(project.buildViews().stderr).not.toContain('TW_VIEW_INVALID');
  expect(existsSync(project.path('mcp.manifest.json'))).toBe(false);
  expect(existsSync(project.path('mcp.views.json'))).toBe(false);
});

test('what is missing is named: the file, the default export, Vite', () => {
  const { status, stderr } = project.buildViews();
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^src\/climate-tools\.ts:\d+:3: TW_VIEW_INVALID: error: The view "\.\/views\/chart\.tsx" of "climate" does not exist: there is no file src\/views\/chart\.tsx\./m,
  );

  project.write(
    'src/views/chart.tsx',
    "/** @jsxImportSource preact */\nimport 'preact';\nexport function Chart() {}\n",
  );
  expect(project.buildViews().stderr).toMatch(
    /^src\/views\/chart\.tsx:1:1: TW_VIEW_INVALID: error: The file has no default export/m,
  );

  project.unlink('node_modules/vite');
  expect(project.buildViews().stderr).toMatch(
    /^src\/views\/chart\.tsx:1:1: TW_PACKAGE_MISSING: error: The view needs vite to be built. Run `npm install --save-dev vite`/m,
  );
  project.unlink('node_modules/@toolwright/views');
  expect(project.buildViews().stderr).toMatch(
    /^src\/climate-tools\.ts:\d+:3: TW_PACKAGE_MISSING: error: .* Run `npm install --save-dev @toolwright\/views vite`/m,
  );
});

test('a page of more than 300 KB is refused', () => {
  project.edit('src/climate-tools.ts', './views/chart.tsx', './views/chart.ts');
  const text = Array.from({ length: 320 * 1024 }, (_, index) => (index % 36).toString(36)).join('');
  project.write(
    'src/views/chart.ts',
    `export default function show(_: unknown, root: HTMLElement) {\n  root.textContent = '${text}';\n}\n`,
  );
  expect(project.buildViews()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^src\/views\/chart\.ts:1:1: TW_VIEW_LARGE: error: The page has 3\d\d KB \(\d+ KB compressed\)/m,
    ),
  });
});
