import { join } from 'node:path';

/** The folder of this package; compiled modules lie one level below it. */
export const appFolder = join(__dirname, '..');

/** Where everything that a run writes goes, unless it is asked to publish; ignored by Git. */
export const outputFolder = join(appFolder, '.toolwright', 'bench');

/** What a run needs while it lasts: generated sources, audit logs. Each run has its own and removes it. */
export const runFolder = join(outputFolder, `run-${process.pid}`);

export const repositoryFolder = join(appFolder, '..', '..');

export const docsFolder = join(repositoryFolder, 'docs');
