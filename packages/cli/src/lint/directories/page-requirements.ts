import type { BoundResource } from '@toolwright/core';
import type { SourceLocation } from '@toolwright/manifest';
import { sources } from './directory.js';
import { unless, type Requirement } from './requirement.js';

/** The page of an MCP App. */
export interface LintedPage {
  uri: string;
  ui: NonNullable<BoundResource['ui']>;
  location?: SourceLocation;
}

/** Claude makes the host from a hash of the address of the server. */
const CLAUDE_DOMAIN = /^[0-9a-f]{16,32}\.claudemcpcontent\.com$/;

/** What the directories want of every page of an MCP App. */
export const pageRequirements: Requirement<LintedPage>[] = [
  {
    rule: 'directory-app-csp',
    directory: 'chatgpt',
    severity: 'error',
    source: sources.chatgptSubmission,
    check: ({ uri, ui }) =>
      unless(ui.csp !== undefined, `${uri} has no csp: list the origins that it needs, or write csp: {}.`),
  },
  {
    rule: 'directory-app-csp',
    directory: 'chatgpt',
    severity: 'warning',
    source: sources.chatgptReference,
    check: ({ uri, ui }) =>
      unless(
        !ui.csp?.frameDomains?.length,
        `${uri} shows frames of other origins, which get a longer review.`,
      ),
  },
  {
    rule: 'directory-app-domain',
    directory: 'chatgpt',
    severity: 'error',
    source: sources.chatgptReference,
    check: ({ uri, ui }) => unless(ui.domain !== undefined, `${uri} has no domain of its own.`),
  },
  {
    rule: 'directory-app-domain',
    directory: 'claude',
    severity: 'error',
    source: sources.claudeApps,
    check: ({ uri, ui: { domain } }) =>
      unless(
        domain === undefined || CLAUDE_DOMAIN.test(domain),
        `${uri} has the domain ${domain}, and Claude takes only <hash of the server's address>.claudemcpcontent.com.`,
      ),
  },
];
