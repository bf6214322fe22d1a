import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { explainValue } from '@toolwright/core/checks';
import type { Browser } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { size } from '../../../.ci/test/support/proof.js';
import { ConsoleUnderTest, openPage, type OpenPage } from './support/console-under-test.js';
import { fillWithKeys } from './support/fill-with-keys.js';
import { chance, madeSample, type Sample } from './support/made-schemas.js';
import { goTo } from './support/records.js';

type Case = readonly [what: string, value: unknown, isValid: boolean];
type Group = readonly [what: string, schema: Record<string, unknown> | boolean, ...cases: readonly Case[]];

/** How many made schemas a sample has, and how many values of the official suite. */
const MADE = 40;
const FOREIGN = 40;

/**
 * Valid values of the official tests of JSON Schema, each as one argument. Those with properties that their schema allows
 * in silence are left out: a form has no place for what nobody has named.
 */
function foreignSamples(): Sample[] {
  const file = join(__dirname, '../../json/test/fixtures/json-schema-tests/draft2020-12.json');
  const suite = JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly Group[]>;
  return Object.values(suite)
    .flat()
    .flatMap(([, rules, ...cases]) => {
      const text = JSON.stringify(rules);
      if (/"\$(id|anchor|dynamic\w+|schema)"|"\$ref":"[^#]/.test(text)) return [];
      const inner = JSON.parse(text.replaceAll('"$ref":"#', '"$ref":"#/properties/value')) as unknown;
      const schema = { type: 'object', properties: { value: inner }, required: ['value'] };
      return cases
        .filter(([, , isValid]) => isValid)
        .map(([, value]) => ({ schema, value: { value } }))
        .filter(({ value }) => explainValue(schema, value).length === 0);
    });
}

function chosenOf<T>(all: readonly T[], count: number): readonly T[] {
  const pick = chance(7);
  return all.length <= count ? all : Array.from({ length: count }, () => all[pick(all.length)]!);
}

describeInChromium('forms that are filled in with the keyboard alone', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;
  let opened: OpenPage;
  let count = 0;

  beforeAll(async () => {
    server = await createMcpServer({ name: 'forms', version: '1.0.0', services: [], audit: false });
    console = await ConsoleUnderTest.start([server]);
    opened = await openPage(browser(), console.url);
  });

  afterAll(async () => {
    await opened.page.context().close();
    await console.close();
    await server.close();
  });

  /** What is sent once the form is filled in, or what stands in the way. */
  const send = async ({ schema, value }: Sample): Promise<unknown> => {
    const { page } = opened;
    // What was filled in stays with a name.
    const name = `tool_${++count}`;
    server.tools.add({ name, inputSchema: schema, handler: () => 'done' });
    await goTo(page, 'tools', 'tool', name);
    await page.getByRole('heading', { name }).waitFor();
    await page.locator('.schema-form').waitFor();
    await page.getByLabel('Revision of the protocol').focus();
    await page.keyboard.press('Tab');
    await fillWithKeys(page, schema, value);
    const asked = page.waitForRequest((request) => request.url().endsWith('/api/startCall'));
    const refused = page.locator('.field-errors, .field-unread').first().waitFor();
    await page.keyboard.press('Control+Enter');
    const request = await Promise.race([asked, refused]);
    return request
      ? (request.postDataJSON() as { arguments: unknown }).arguments
      : await page.locator('.field-errors, .field-unread').allInnerTexts();
  };

  const made = Array.from({ length: MADE * size }, (_, seed) => [seed, madeSample(seed + 1)] as const);

  test.each(made)('what is typed is sent: made schema %i', async (_seed, sample) => {
    expect({ ...sample, sent: await send(sample) }).toEqual({ ...sample, sent: sample.value });
  });

  test.each(chosenOf(foreignSamples(), FOREIGN * size).map((each, index) => [index, each] as const))(
    'what is typed is sent: official schema %i',
    async (_index, sample) => {
      expect({ ...sample, sent: await send(sample) }).toEqual({ ...sample, sent: sample.value });
    },
  );

  test('no word of a library reaches the person, and there are no barriers', async () => {
    const { schema } = madeSample(3);
    server.tools.add({ name: 'last', inputSchema: schema, handler: () => 'done' });
    await goTo(opened.page, 'tools', 'tool', 'last');
    await opened.page.locator('.schema-form').waitFor();
    expect(await opened.page.locator('.schema-form').innerText()).not.toMatch(
      /unsupported|unknown field|rjsf|schema/i,
    );
    expect(await findBarriers(opened.page)).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });
});
