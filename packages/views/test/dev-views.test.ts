import { connectTo } from '../../cli/src/remote/open-remote.js';
import { DevProcess } from '../../cli/test/support/dev-process.js';
import { ViewProject } from './support/view-project.js';

const main = `import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { ClimateTools } from './climate-tools.js';

void createMcpServer({ name: 'climate', version: '1.0.0', services: [ClimateTools] }).then((server) =>
  serveHttp(server, { port: 0 }),
);
`;

const view = `import type { ViewOf } from '@toolwright/views';
import './chart.css';
import logo from './logo.svg';
export default function show({ result }: ViewOf<'climate'>, root: HTMLElement) {
  root.textContent = 'First: ' + result.city;
  root.dataset['logo'] = logo;
}
`;

let project: ViewProject;
let dev: DevProcess;

beforeAll(() => {
  project = new ViewProject();
  project.install({ '@toolwright/http': 'packages/http' });
  // A new app is an ES module, which cannot be loaded again. Its pages change all the same while it runs.
  project.edit('package.json', '{', '{ "type": "module", ');
  project.edit('src/climate-tools.ts', './views/chart.tsx', './views/chart.ts');
  project.write('src/main.ts', main);
  project.write('src/views/chart.ts', view);
  project.write('src/views/chart.css', 'h1 { color: teal }');
  project.write('src/views/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"><title>One</title></svg>');
  dev = new DevProcess(project);
});

afterAll(async () => {
  await dev.stop();
  project.remove();
});

test('toolwright dev serves the page of a view, takes edits of it, and reports where it does not fit', async () => {
  const client = await connectTo(await dev.url(), {});
  const read = async () => {
    const { contents } = (await client.request('resources/read', { uri: 'ui://views/chart' })) as any;
    return contents[0].text as string;
  };
  expect(await read()).toContain('First: ');

  // dev may report one edit twice. So the report that is read here may be about the edit before.
  const serves = async (text: string) => {
    while (!(await read()).includes(text)) await dev.says(/replaced ClimateTools/);
  };

  project.edit('src/views/chart.ts', 'First', 'Second');
  await serves('Second: ');

  project.edit('src/views/chart.ts', 'result.city', 'result.town');
  await dev.says(/src\/views\/chart\.ts:5:42: error TS2339/);
  await dev.says(/the last good version continues/);
  expect(await read()).toContain('Second: ');

  project.edit('src/views/chart.ts', 'result.town', 'result.months');
  await serves('result.months');

  project.edit('src/views/chart.css', 'teal', 'navy');
  await serves('navy');
  project.edit('src/views/logo.svg', 'One', 'Two');
  await serves('Two');
  await client.close();
});
