import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

/** Something that the person has to install. The text says what, and how. */
export class MissingPartError extends Error {
  override readonly name = 'MissingPartError';
}

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * Starts Chromium: the one that is named, the one of Playwright, or one of the system.
 *
 * @throws {MissingPartError} where Playwright or a browser is missing
 */
export async function openBrowser(cwd: string, executable?: string): Promise<Browser> {
  const { chromium } = loadPlaywright(cwd);
  const path = executable ?? (existsSync(chromium.executablePath()) ? undefined : installed());
  try {
    return await chromium.launch(path === undefined ? {} : { executablePath: path });
  } catch (error) {
    throw new MissingPartError(
      `No Chromium could be started. Install one with: npx playwright-core install chromium. Or name yours with --browser. (${String(error).split('\n', 1)[0]})`,
    );
  }
}

/** The source of axe-core. @throws {MissingPartError} where it is missing */
export async function readAxe(cwd: string): Promise<string> {
  return readFile(resolvePart(cwd, ['axe-core/axe.min.js'], 'axe-core'), 'utf8');
}

function loadPlaywright(cwd: string): typeof import('playwright-core') {
  const path = resolvePart(cwd, ['playwright-core', 'playwright'], 'playwright-core');
  return createRequire(__filename)(path) as typeof import('playwright-core');
}

/** The app's own package comes first. One that is installed beside this package is for folders without an app. */
function resolvePart(cwd: string, modules: readonly string[], name: string): string {
  for (const from of [join(cwd, 'package.json'), __filename])
    for (const each of modules)
      try {
        return createRequire(from).resolve(each);
      } catch {
        // The next place.
      }
  throw new MissingPartError(
    `Views are tested in a real browser, with Playwright and axe-core, and ${name} is missing. Install both: npm install --save-dev playwright-core axe-core`,
  );
}

function installed(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
