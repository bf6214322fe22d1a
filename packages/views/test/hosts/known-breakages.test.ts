import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { describeInChromium } from '../../../../.ci/test/support/chromium.js';
import { pageMeta } from '../../../ground/src/base/app-settings.js';
import { EmulatedHost } from '../../src/hosts/emulated-host.js';
import { examine } from '../../src/hosts/examine-view.js';
import { hostProfiles } from '../../src/hosts/host-profiles.js';
import type { ViewUnderTest } from '../../src/hosts/view-under-test.js';
import { handshake, noServer, page, settings, viewOf } from './hand-made-views.js';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

describeInChromium('a breakage that people have reported', (browser: () => Browser) => {
  let tab: Page;
  let host: EmulatedHost;

  beforeAll(async () => {
    tab = await browser().newPage();
    host = await EmulatedHost.on(tab);
  });
  afterAll(() => tab.close());

  const problemsIn = async (id: string, view: ViewUnderTest, patienceMs = 60_000) => {
    const profile = hostProfiles.find((each) => each.id === id)!;
    const options = { view, server: noServer, axe, patienceMs, budget: 300_000 };
    return (await examine(host, profile, 'light', options)).problems;
  };
  const sound = viewOf(page(handshake));

  test.each(hostProfiles.map(({ id }) => id))('is none for a sound page in %s', async (id) => {
    expect(await problemsIn(id, sound)).toEqual([]);
  });

  // The page takes a picture from another origin. Whether it may is decided before the request, so none is sent.
  const picture = `<link rel="icon" href="data:,"><script>addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error('blocked by ' + effectiveDirective + ': ' + blockedURI))</script>`;
  const loading = page(
    `${handshake}; const image = new Image(); image.alt = 'a map'; image.src = 'https://cdn.test/map.png'; document.querySelector('main').append(image);`,
    picture,
  );
  const csp = { resourceDomains: ['https://cdn.test'] };
  const blocked = /blocked by img-src: https:\/\/cdn\.test\/map\.png/;
  const loaded = /asked for https:\/\/cdn\.test\/map\.png/;

  test('skybridge#891: a host reads the policy from another key than the declared one', async () => {
    expect((await problemsIn('chatgpt', viewOf(loading, { ui: { csp } }))).join('\n')).toMatch(blocked);
    const repaired = (await problemsIn('chatgpt', viewOf(loading, settings(csp)))).join('\n');
    expect(repaired).not.toMatch(blocked);
    expect(repaired).toMatch(loaded);
  });

  test('ext-apps#242: a host reads the policy beside the contents', async () => {
    const inContent = {
      ...viewOf(loading),
      meta: { content: settings(csp), result: undefined, list: undefined },
    };
    expect((await problemsIn('vscode', inContent)).join('\n')).toMatch(blocked);
    expect((await problemsIn('vscode', viewOf(loading, settings(csp)))).join('\n')).toMatch(loaded);
  });

  test('claude-ai-mcp#61: a host never shows a page that does not initialize', async () => {
    const mute = viewOf(page(`document.getElementById('city').textContent = 'Seattle'`));
    expect(await problemsIn('claude', mute, 300)).toContainEqual(expect.stringContaining('never shows it'));
    expect(await problemsIn('claude', sound)).toEqual([]);
  });

  test('ext-apps#696: a host keeps the structured content back', async () => {
    const trusting = page(
      handshake.replace('structuredContent ?? JSON.parse(content[0].text)', 'structuredContent'),
    );
    expect((await problemsIn('claude', viewOf(trusting))).join('\n')).toMatch(/Error: .*city/);
    expect(await problemsIn('basic-host', viewOf(trusting))).toEqual([]);
  });

  test('ext-apps#735, claude-ai-mcp#165: a host shows no page with the domain of another host', async () => {
    const domain = 'https://city.example.com';
    const inBoth = viewOf(page(handshake), { ...settings(), ui: { domain } });
    expect(await problemsIn('claude', inBoth)).toEqual([
      expect.stringContaining(`no page with the domain ${domain}`),
    ]);
    expect(await problemsIn('chatgpt', inBoth)).toEqual([]);
    const ofServer = viewOf(page(handshake), pageMeta({ domain }));
    for (const id of ['claude', 'chatgpt']) expect(await problemsIn(id, ofServer)).toEqual([]);
  });

  test('claude-ai-mcp#165: a page does not run at all', async () => {
    const broken = viewOf(page(`throw new Error('no bundle'); ${handshake}`));
    const problems = await problemsIn('claude', broken, 300);
    expect(problems).toContainEqual(expect.stringContaining('never shows it'));
    expect(problems).toContain('Error: no bundle');
  });
});
