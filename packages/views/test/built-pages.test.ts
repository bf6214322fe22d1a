import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import type { Browser } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { AppHost } from '../../../apps/gallery/test/app-host.js';
import { ViewProject } from './support/view-project.js';

const view = (library: 'react' | 'preact') => `/** @jsxImportSource ${library} */
import { useState } from '${library === 'react' ? 'react' : 'preact/hooks'}';
import type { ViewOf } from '@toolwright/views';
export default function Chart({ result, view }: ViewOf<'${library}', { chosen: number }>) {
  const [rows, setRows] = useState<string[]>([]);
  if (result.city === 'Nowhere') throw new Error('There is no such city.');
  return (
    <section>
      <h1>{result.city}</h1>
      <output>{view.state?.chosen ?? 'none'}</output>
      <ul>{rows.map((row) => <li key={row}>{row}</li>)}</ul>
      <button onClick={() => void view.call('rows', { from: 3 }).then(setRows)}>More</button>
      <button onClick={() => view.setState({ chosen: 7 })}>Choose</button>
      <button onClick={() => void view.tellModel('Seven is chosen.')}>Tell</button>
    </section>
  );
}
`;

const plain = `import type { ViewOf } from '@toolwright/views';
export const words = { loading: 'Lädt…', empty: 'Leer.' };
export default function show({ result }: ViewOf<'plain'>, root: HTMLElement): void {
  root.replaceChildren(...result.map((text) => Object.assign(document.createElement('p'), { textContent: text })));
}
`;

const service = `import { McpService, McpTool, ToolError } from '@toolwright/core';
interface Climate { city: string }
const annotations = { readOnlyHint: true };
@McpService()
export class ClimateTools {
  /** Shows a city. */
  @McpTool({ annotations, ui: { view: './views/react.tsx' } })
  react(city: string): Climate { return this.#find(city); }
  /** Shows a city. */
  @McpTool({ annotations, ui: { view: './views/preact.tsx' } })
  preact(city: string): Climate { return this.#find(city); }
  /** Shows lines. */
  @McpTool({ annotations, ui: { view: './views/plain.ts' } })
  plain(city: string): string[] { return city === '' ? [] : [city, '</script><script>document.title = "run"</script>']; }
  /** Lists rows. */
  @McpTool({ annotations })
  rows(from: number): string[] { return ['row ' + from]; }
  #find(city: string): Climate {
    if (city === 'Atlantis') throw new ToolError('Atlantis has sunk.');
    return { city };
  }
}
`;

type McpClient = Awaited<ReturnType<typeof connect>>;

describeInChromium('a built page in a host of the official SDK', (browser) => {
  let project: ViewProject;
  let close: () => Promise<void>;
  let client: McpClient;

  beforeAll(async () => {
    project = new ViewProject();
    project.write('src/climate-tools.ts', service);
    project.write('src/views/react.tsx', view('react'));
    project.write('src/views/preact.tsx', view('preact'));
    project.write('src/views/plain.ts', plain);
    expect(project.compile()).toMatchObject({ status: 0 });
    expect(project.buildViews()).toMatchObject({ status: 0, stderr: '' });
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- as an application would
    const { ClimateTools } = require(project.path('dist/climate-tools.js'));
    const server = await createMcpServer({ name: 'climate', version: '1.0.0', services: [ClimateTools] });
    client = await connect(server);
    close = () => server.close(0);
  });

  afterAll(async () => {
    await close?.();
    project.remove();
  });

  const open = (tool: string) => openIn(browser(), client, tool);

  test.each(['react', 'preact'])(
    'with %s it shows the result, calls tools, and keeps a state',
    async (tool) => {
      const host = await open(tool);
      const { frame } = host;
      expect(await frame.getByRole('status').textContent()).toBe('Loading…');
      await host.call(tool, { city: 'Bern' });
      expect(await frame.getByRole('heading').textContent()).toBe('Bern');
      expect(await frame.getByRole('status').and(frame.locator('p')).count()).toBe(0);
      await frame.getByRole('button', { name: 'More' }).click();
      expect(await frame.getByRole('listitem').textContent()).toBe('row 3');
      await frame.getByRole('button', { name: 'Choose' }).click();
      await frame.locator('output', { hasText: '7' }).waitFor();
      await frame.getByRole('button', { name: 'Tell' }).click();
      expect(await host.modelContext).toEqual({ content: [{ type: 'text', text: 'Seven is chosen.' }] });
      // The host says dark, and the browser light.
      expect(await frame.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
      expect(host.faults).toEqual([]);

      await host.call(tool, { city: 'Atlantis' });
      expect(await frame.getByRole('alert').textContent()).toContain('Atlantis has sunk.');
      await host.call(tool, { city: 'Nowhere' });
      await frame.getByRole('alert').filter({ hasText: 'The view cannot be shown.' }).waitFor();
      await host.close();
    },
  );

  test('a plain view has its own words for the states, and a text of strangers stays a text', async () => {
    const host = await open('plain');
    const { frame } = host;
    expect(await frame.getByRole('status').textContent()).toBe('Lädt…');
    await host.call('plain', { city: '' });
    expect(await frame.getByRole('status').textContent()).toBe('Leer.');
    await host.call('plain', { city: 'Bern' });
    expect(await frame.locator('main p').allTextContents()).toEqual([
      'Bern',
      '</script><script>document.title = "run"</script>',
    ]);
    expect(await frame.title()).toBe('plain');
    expect(host.faults).toEqual([]);
    await host.close();
  });
});

function openIn(browser: Browser, client: McpClient, tool: string): Promise<AppHost> {
  const referee = {
    listTools: () => client.request('tools/list', {}),
    readResource: (uri: string) => client.request('resources/read', { uri }),
    callTool: (name: string, args: Record<string, unknown>) =>
      client.request('tools/call', { name, arguments: args }),
  };
  return AppHost.open(browser, { client: referee as never, tool });
}
