import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

/** The shell comes first: it draws for no screen, and a page costs it a third of what it costs a whole browser. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** The path of an installed Chromium, or undefined when there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Tests that need a browser. Where none is installed they say so, unless REQUIRE_ALL makes that a failure. */
export function describeInChromium(title: string, body: (browser: () => Browser) => void): void {
  if (process.env.TIER === 'test')
    throw new Error(
      'Tests in a browser run in `pnpm check:all`: name this file in `later` of jest.config.ts.',
    );
  const program = findChromium();
  if (program === undefined && process.env.REQUIRE_ALL !== '1') {
    it(`${title} (not tried: no Chromium is installed here; Debian: apt-get install chromium)`, () => {
      expect(findChromium()).toBeUndefined();
    });
    return;
  }
  describe(title, () => {
    let browser: Browser | undefined;

    beforeAll(async () => {
      if (program === undefined) throw new Error('REQUIRE_ALL=1, and no Chromium is installed.');
      // Loading it takes half a second, which tests without a browser need not wait for.
      const { chromium } = await import('playwright-core');
      browser = await chromium.launch({ executablePath: program });
    });

    afterAll(() => browser?.close());

    body(() => browser!);
  });
}
