import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import type { Contract } from '../src/api/project-api.js';
import { ConsoleUnderTest, type OpenPage, schemes } from './support/console-under-test.js';
import { goTo } from './support/records.js';

const contract: Contract = {
  problems: [
    { severity: 'error', code: 'TW_TYPE', message: 'This type has no schema.', location: 'src/a.ts:3:4' },
  ],
  lintProblems: [
    { severity: 'info', code: 'long-name', message: 'The name is long.', tool: 'greet' },
    { severity: 'warning', code: 'no-description', message: 'There is no description.', tool: 'greet' },
  ],
  tokens: {
    total: 1_300,
    budget: 1_000,
    tools: [...Array(40).keys()].map((index) => ({ name: `tool_${index}`, tokens: index + 1 })),
  },
  changes: [
    { tool: '@example/units', kind: 'text', message: 'tools: tools changed' },
    {
      tool: 'template notes://{id}',
      operation: { kind: 'resourceTemplate', key: 'notes://{id}' },
      kind: 'text',
      message: 'The description is another.',
    },
    {
      tool: 'greet',
      operation: { kind: 'tool', key: 'greet' },
      kind: 'breaking',
      message: 'The parameter "who" is required now.',
    },
  ],
  lockFile: 'mcp.lock.json',
};

describeInChromium('the pane of the contract', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;
  let answer: Contract;
  let openedPlaces: string[];

  beforeEach(async () => {
    answer = contract;
    openedPlaces = [];
    server = await createMcpServer({ name: 'example', version: '1.0.0', services: [], audit: false });
    console = await ConsoleUnderTest.forTest([server], {
      access: ['read', 'project'],
      project: {
        contract: () => answer,
        origins: () => [],
        evaluations: () => [],
        failure: () => null,
        signIn: () => null,
        startSignIn: ({ url }) => ({ url }),
        openSource: ({ location }) => {
          openedPlaces.push(location);
          return {};
        },
      },
    });
    opened = await console.show(browser());
    await goTo(opened.page, 'contract');
    await opened.page.getByRole('heading', { name: 'Tokens' }).waitFor();
  });

  const section = (title: string) =>
    opened.page.locator('section').filter({ has: opened.page.getByRole('heading', { name: title }) });

  test('992 problems of the linter are groups with advice, which are filtered, and the tokens are a map', async () => {
    const { page, complaints } = opened;
    answer = {
      ...contract,
      lintProblems: Array.from({ length: 992 }, (_, index) => ({
        severity: index % 4 === 0 ? ('error' as const) : ('warning' as const),
        code: index % 4 === 0 ? 'description-missing' : 'number-unbounded',
        message: `Problem ${index}.`,
        tool: `tool_${index}`,
      })),
    };
    console.hub.hear({ type: 'build', problems: [], durationMs: 1 });
    const groups = page.getByRole('list', { name: 'Problems by rule' });
    await groups.getByText('description-missing').waitFor();
    expect(await groups.locator('summary').allInnerTexts()).toEqual([
      expect.stringMatching(/error\s*description-missing\s*248[^]*Write a doc comment/) as string,
      expect.stringMatching(/warning\s*number-unbounded\s*744[^]*@minimum/) as string,
    ]);
    await groups.locator('summary').first().press('Enter');
    await page.getByText('Problem 0.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Search problems').fill('tool_991');
    await page.getByText('1 of 992 problems').waitFor();
    await page.getByLabel('Search problems').fill('');
    await page.getByRole('button', { name: 'error', exact: true }).click();
    await page.getByText('248 of 992 problems').waitFor();
    const map = page.getByRole('img', { name: /40 tools take about 1,300 tokens of a budget of 1,000/ });
    expect(await map.locator('.token-area').count()).toBe(40);
    expect(await map.locator('.token-area.over').count()).toBeGreaterThan(0);
    await map.locator('.token-area').first().click();
    expect(page.url()).toContain('#/tools/tool/tool_39');
    expect(complaints).toEqual([]);
  });

  test('the area of the smallest tools together opens none of them', async () => {
    const { page, complaints } = opened;
    const tools = [...Array(100).keys()].map((index) => ({ name: `tool_${index}`, tokens: index + 1 }));
    answer = { ...contract, tokens: { total: 5_050, tools } };
    console.hub.hear({ type: 'build', problems: [], durationMs: 1 });
    const areas = page.getByRole('img', { name: /^100 tools take/ }).locator('.token-area');
    expect(await areas.last().textContent()).toContain('20 more');
    await areas.last().click();
    expect(page.url()).toContain('#/contract');
    await areas.first().click();
    expect(page.url()).toContain('#/tools/tool/tool_99');
    expect(complaints).toEqual([]);
  });

  test('problems and changes are shown, the worst first, with links to the source', async () => {
    const { page, complaints } = opened;
    for (const text of ['1 error', '2 pieces of advice', '1 breaking change'])
      await page.getByText(text, { exact: true }).waitFor();
    expect(await section('Problems of the linter').locator('.problem-text').allTextContents()).toEqual([
      'There is no description.',
      'The name is long.',
    ]);
    expect(await section('Changes').locator('li').first().innerText()).toMatch(
      /breaking[^]*"who" is required/,
    );
    expect(await section('Changes').getByRole('link').allInnerTexts()).toEqual([
      'greet',
      'template notes://{id}',
    ]);
    const template = section('Changes').getByRole('link', { name: 'template notes://{id}' });
    expect(await template.getAttribute('href')).toBe(
      `#/tools/resourceTemplate/${encodeURIComponent('notes://{id}')}`,
    );
    const answered = page.waitForResponse(/openSource/);
    await page.getByRole('button', { name: 'src/a.ts:3:4' }).click();
    await answered;
    expect(openedPlaces).toEqual(['src/a.ts:3:4']);
    expect(complaints).toEqual([]);
  });

  test('tokens are shown against the budget, the dearest tools first', async () => {
    const { page } = opened;
    await page.getByText('300 over the budget').waitFor();
    const items = page.getByRole('list', { name: 'Tokens of each tool' }).getByRole('listitem');
    expect(await items.count()).toBe(30);
    expect(await items.first().innerText()).toMatch(/tool_39\s+40/);
    await page.getByRole('button', { name: 'Show 10 more' }).click();
    expect(await items.count()).toBe(40);
  });

  test('it follows an edit', async () => {
    const { page } = opened;
    answer = {
      problems: [],
      lintProblems: [],
      tokens: { total: 10, tools: [{ name: 'greet', tokens: 10 }] },
    };
    console.hub.hear({ type: 'build', problems: [], durationMs: 120 });
    await page.getByText('nothing to repair').waitFor();
    await page.getByText(/compiled at [\d:.]+ in 120 ms/).waitFor();
    await page.getByText('There is no lock file.').waitFor();
    answer = { ...answer, changes: [], lockFile: 'mcp.lock.json' };
    console.hub.hear({ type: 'build', problems: [], durationMs: 80 });
    await page.getByText('What is published is what mcp.lock.json says.').waitFor();
  });

  test('a console without a project has no such pane', async () => {
    const other = await ConsoleUnderTest.forTest([server], { access: ['read'] });
    const { page } = await other.show(browser());
    await page.getByRole('link', { name: 'Traffic' }).waitFor();
    expect(await page.getByRole('link', { name: 'Contract' }).count()).toBe(0);
    await page.context().close();
    await other.close();
  });

  test.each(schemes)('there are no barriers, nor on a phone (%s)', async (colorScheme) => {
    const { page, complaints } = opened;
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 380, height: 700 });
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380);
    expect(complaints).toEqual([]);
  });
});
