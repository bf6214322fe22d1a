import type { Page } from './page.js';
import type { WorkspacePackage } from './workspace.js';

/**
 * The build of a sample, which tests ask for: all guides, READMEs and pages of errors, the reference of core, and one page of
 * each kind that has hundreds. It needs a part of the time. `pnpm proof` builds all pages.
 */
const isSample = process.env['SITE_SAMPLE'] === '1';

/** Decisions and sources that a test looks at, and the index of the decisions. */
const kept = /^(adr\/(index|0003-.*)|source\/packages\/http\/test\/guarantees-test-ts)\.md$/;

/** The packages whose names have pages. */
export const packagesOf = (packages: WorkspacePackage[]): WorkspacePackage[] =>
  isSample ? packages.filter(({ folder }) => folder === 'core') : packages;

/** The pages that are built, and the paths of the others, to which links may lead. */
export function choosePages(pages: Page[]): { built: Page[]; leftOut: ReadonlySet<string> } {
  const isLeftOut = ({ path }: Page) => isSample && /^(adr|source)\//.test(path) && !kept.test(path);
  return {
    built: pages.filter((page) => !isLeftOut(page)),
    leftOut: new Set(pages.filter(isLeftOut).map(({ path }) => path)),
  };
}
