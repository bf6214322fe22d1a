import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import type { Browser } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { AppHost, type Follower } from '../../../apps/gallery/test/app-host.js';
import { ViewProject } from './support/view-project.js';

const view = (library: 'react' | 'preact') => `/** @jsxImportSource ${library} */
import { useState } from '${library === 'react' ? 'react' : 'preact/hooks'}';
import type { ViewOf } from '@toolwright/views';
import { CallStatus, useCall } from '@toolwright/views/${library}';
export default function Chart({ result, view }: ViewOf<'${library}', { chosen: number }>) {
  const [rows, setRows] = useState<string[]>([]);
  const { call, part, result: all } = useCall(view, 'lines');
  if (result.city === 'Nowhere') throw new Error('There is no such city.');
  return (
    <section>
      <h1>{result.city}</h1>
      <output>{view.state?.chosen ?? 'none'}</output>
      <ul>{rows.map((row) => <li key={row}>{row}</li>)}</ul>
      <button onClick={() => void view.call('rows', { from: 3 }).then(setRows)}>More</button>
      <button onClick={() => view.setState({ chosen: 7 })}>Choose</button>
      <button onClick={() => void view.tellModel('Seven is chosen.')}>Tell</button>
      <button onClick={() => void call.start({ count: 2 })}>Export</button>
      <p id="lines">{(all ?? part ?? []).join(', ')}</p>
      <CallStatus call={call} />
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

const lines = `import { type ViewOf, showCall, toolCall } from '@toolwright/views';
export default function show({ result, view }: ViewOf<'lines'>, root: HTMLElement): void {
  const status = document.createElement('div');
  const call = toolCall(view, 'lines');
  const button = Object.assign(document.createElement('button'), {
    textContent: 'Export', onclick: () => void call.start({ count: 2 }),
  });
  showCall(call, status);
  const text = Object.assign(document.createElement('p'), { id: 'lines' });
  const draw = () => { text.textContent = (call.snapshot.result ?? call.snapshot.part ?? []).join(', '); };
  call.onChange(draw);
  root.replaceChildren(Object.assign(document.createElement('h1'), { textContent: result.join(' and ') }), button, text, status);
}
`;

const months = `import type { PartialViewOf } from '@toolwright/views';
export const partial = true;
export default function show({ result, view }: PartialViewOf<'months'>, root: HTMLElement): void {
  root.textContent = view.phase + ': ' + (result.city ?? '?') + ' ' + (result.months ?? []).join();
}
`;

const service = `import { McpService, McpTool, type ToolContext, ToolError } from '@toolwright/core';
interface Climate { city: string }
interface Months { city: string; months: number[] }
const annotations = { readOnlyHint: true };
/** Where streams wait. */
export const gate = { open() {}, left() {} };
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
  /** Streams lines. */
  @McpTool({ annotations, ui: { view: './views/lines.ts' } })
  async *lines(count: number, { signal }: ToolContext): AsyncIterable<string> {
    signal.addEventListener('abort', () => { gate.left(); gate.open(); });
    yield 'line 1';
    await new Promise<void>((resolve) => (gate.open = resolve));
    for (let line = 2; line <= count; line++) yield 'line ' + line;
  }
  /** Measures months. */
  @McpTool({ annotations, ui: { view: './views/months.ts' } })
  async months(city: string, { progress }: ToolContext): Promise<Months> {
    progress(1, 2, 'January', { city });
    await new Promise<void>((resolve) => (gate.open = resolve));
    return { city, months: [4, 9] };
  }
  #find(city: string): Climate {
    if (city === 'Atlantis') throw new ToolError('Atlantis has sunk.');
    return { city };
  }
}
`;

type McpClient = Awaited<ReturnType<typeof connect>>;

const APPS = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

describeInChromium('a built page in a host of the official SDK', (browser) => {
  let project: ViewProject;
  let close: () => Promise<void>;
  let client: McpClient;
  let gate: { open(): void; left(): void };

  beforeAll(async () => {
    project = new ViewProject();
    project.write('src/climate-tools.ts', service);
    project.write('src/views/react.tsx', view('react'));
    project.write('src/views/preact.tsx', view('preact'));
    project.write('src/views/plain.ts', plain);
    project.write('src/views/lines.ts', lines);
    project.write('src/views/months.ts', months);
    expect(project.compile()).toMatchObject({ status: 0 });
    expect(project.buildViews()).toMatchObject({ status: 0, stderr: '' });
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- as an application would
    const { ClimateTools, gate: opened } = require(project.path('dist/climate-tools.js'));
    gate = opened;
    const server = await createMcpServer({ name: 'climate', version: '1.0.0', services: [ClimateTools] });
    client = await connect(server, { capabilities: APPS });
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

  test.each(['react', 'preact', 'lines'])(
    'a view with %s shows the parts of a call that it makes, cancels it, and shows its result',
    async (tool) => {
      const host = await open(tool);
      const { frame } = host;
      const shown = host.call(tool, tool === 'lines' ? { count: 1 } : { city: 'Bern' });
      if (tool === 'lines') {
        await frame.getByRole('heading', { name: 'line 1', exact: true }).waitFor();
        gate.open();
      }
      await shown;
      const text = frame.locator('#lines');
      await frame.getByRole('button', { name: 'Export' }).click();
      await text.getByText('line 1', { exact: true }).waitFor();
      const left = new Promise<void>((resolve) => (gate.left = resolve));
      await frame.getByRole('button', { name: 'Cancel' }).click();
      await frame.getByText('The call was cancelled.').waitFor();
      await left;

      await frame.getByRole('button', { name: 'Export' }).click();
      await frame.getByRole('progressbar', { name: 'Working…' }).waitFor();
      await text.getByText('line 1', { exact: true }).waitFor();
      gate.open();
      await text.getByText('line 1, line 2').waitFor();
      expect(await frame.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
      expect(host.faults).toEqual([]);
      await host.close();
    },
  );

  test('a list is drawn as its items come, with a bar above it', async () => {
    const host = await open('lines');
    const { frame } = host;
    const shown = host.call('lines', { count: 2 });
    await frame.getByRole('heading', { name: 'line 1', exact: true }).waitFor();
    expect(await frame.locator('.tw-state').first().getByRole('progressbar').count()).toBe(1);
    gate.open();
    await frame.getByRole('heading', { name: 'line 1 and line 2' }).waitFor();
    await shown;
    expect(await frame.locator('body > .tw-state').isVisible()).toBe(false);
    await host.close();
  });

  test('a view that says so is drawn with some properties of its result', async () => {
    const host = await open('months');
    const { frame } = host;
    const shown = host.call('months', { city: 'Bern' });
    await frame.getByText('loading: Bern').waitFor();
    expect(await frame.getByRole('progressbar', { name: 'January' }).getAttribute('max')).toBe('2');
    gate.open();
    await frame.getByText('done: Bern 4,9').waitFor();
    await shown;
    await host.close();
  });

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
    callTool: (name: string, args: Record<string, unknown>, { signal, report }: Follower = {}) =>
      client.request(
        'tools/call',
        { name, arguments: args },
        {
          ...(signal && { signal }),
          ...(report && {
            onProgress: ({ part, ...progress }) =>
              report({ ...progress, ...(part !== undefined && { _meta: { 'toolwright/partial': part } }) }),
          }),
        },
      ),
  };
  return AppHost.open(browser, { client: referee as never, tool });
}
