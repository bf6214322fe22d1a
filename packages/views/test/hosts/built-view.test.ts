import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { describeInChromium } from '../../../../.ci/test/support/chromium.js';
import { EmulatedHost } from '../../src/hosts/emulated-host.js';
import { examine } from '../../src/hosts/examine-view.js';
import { hostProfiles } from '../../src/hosts/host-profiles.js';
import { ViewProject } from '../support/view-project.js';
import { noServer, viewOf } from './hand-made-views.js';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

describeInChromium('a component that was built', (browser: () => Browser) => {
  test('passes in every emulation, under the policy that lets only its own script run', async () => {
    const project = new ViewProject();
    project.write(
      'src/views/chart.tsx',
      `/** @jsxImportSource preact */
import type { ViewOf } from '@toolwright/views';
export default function Chart({ result }: ViewOf<'climate'>) {
  return <h1>{result.city}: {result.months.join(', ')}</h1>;
}
`,
    );
    expect(project.buildViews()).toMatchObject({ status: 0, stderr: '' });
    const { chart } = JSON.parse(project.read('mcp.views.json')) as { chart: string };
    project.remove();
    expect(chart).toContain("script-src 'sha256-");

    const climate = { city: 'Seattle', months: [4, 9, 19] };
    const content = [{ type: 'text', text: JSON.stringify(climate) }];
    const view = { ...viewOf(chart), result: { content, structuredContent: climate } };
    const tab = await browser().newPage();
    const host = await EmulatedHost.on(tab);
    const options = { view, server: noServer, axe, patienceMs: 60_000, budget: 300_000 };
    for (const profile of hostProfiles) {
      expect((await examine(host, profile, 'dark', options)).problems).toEqual([]);
      const shown = tab.frames().at(-1)!;
      expect(await shown.locator('h1').textContent()).toBe('Seattle: 4, 9, 19');
    }
    await tab.close();
  });
});
