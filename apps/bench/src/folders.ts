import { join } from 'node:path';

/** The folder of this package; compiled modules lie one level below it. */
export const appFolder = join(__dirname, '..');

/** Where everything that a run writes goes, unless it is asked to publish; ignored by Git. */
export const outputFolder = join(appFolder, '.toolwright', 'bench');

/** Audit logs of Toolwright's processes; removed when a run ends. */
export const auditFolder = join(outputFolder, 'audit');

export const docsFolder = join(appFolder, '..', '..', 'docs');
