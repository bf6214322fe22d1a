import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import type { EvaluationReport } from '@toolwright/json';
import { ConsoleUnderTest, type OpenPage } from './support/console-under-test.js';
import { evaluation } from './support/evaluation.js';
import { goTo } from './support/records.js';

describeInChromium('the pane of evaluations', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;
  let answer: readonly EvaluationReport[];

  beforeEach(async () => {
    answer = [];
    server = await createMcpServer({ name: 'example', version: '1.0.0', services: [], audit: false });
    console = await ConsoleUnderTest.forTest([server], {
      access: ['read', 'project'],
      project: {
        contract: () => ({ problems: [], lintProblems: [], tokens: { total: 0, tools: [] } }),
        origins: () => [],
        evaluations: () => answer,
        failure: () => null,
        signIn: () => null,
        startSignIn: ({ url }) => ({ url }),
        openSource: () => ({}),
      },
    });
    opened = await console.show(browser());
    await goTo(opened.page, 'evaluations');
  });

  test('a report appears by itself: the wrong requests first, with what was called before, tokens and cost', async () => {
    const { page, complaints } = opened;
    await page.getByText('No table of requests was run yet').waitFor();
    answer = [evaluation];
    await page.getByText('1 of 3 right').waitFor();
    for (const text of ['1 broken', 'scripted, '])
      expect(await page.getByRole('status').first().innerText()).toContain(text);
    await page.getByText('2,040 tokens, cost 0.012. 1 asked in the last run, for cost 0.004.').waitFor();
    const requests = page.getByRole('list', { name: 'Requests' }).getByRole('listitem');
    const texts = await requests.allInnerTexts();
    expect(texts.map((text) => text.split('\n')[0])).toEqual(['wrong', 'missing', 'right']);
    expect(texts[0]).toMatch(
      /broken[^]*refund_order was expected[^]*cancel_order\({}\)[^]*before: refund_order\({"id":7}\)[^]*and says: “I cancel it.”[^]*asked: the text of refund_order has changed · 1 of 3 answers right · 1,020 tokens · 900 before · cost 0.004/,
    );
    // There is no answer, so nothing is said of its calls.
    expect(texts[1]).toMatch(/No answer is recorded that counts: there is no recording\.$/);
    await page.getByRole('button', { name: 'changed 2' }).click();
    expect(await requests.count()).toBe(2);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'refund_order' }) });
    expect(await row.innerText()).toMatch(/0 of 1\s+cancel_order 1/);
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('of several tables one is chosen', async () => {
    const { page } = opened;
    answer = [evaluation, { ...evaluation, name: 'desk', cases: evaluation.cases.slice(0, 1) }];
    await page.getByRole('button', { name: 'desk' }).click();
    await page.getByText('1 of 1 right').waitFor();
  });
});
