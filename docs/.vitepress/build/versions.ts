import { pendingChanges } from './changelog.js';
import { version } from './workspace.js';

/** What the site is about: a minor version, such as `0.1`, or `next` if there are changes that no release has. */
export const siteVersion = (): string =>
  pendingChanges().length > 0 ? 'next' : version.split('.').slice(0, 2).join('.');
