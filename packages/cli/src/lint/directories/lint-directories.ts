import type { LintedPage } from '../../app/app-snapshot.js';
import { type Directory, type LintProblem, type LintedTool, sources } from '../lint-problem.js';
import { type DirectoryListing, listingRequirements } from './listing.js';
import { type Requirement, findUnmet, unless } from './requirement.js';
import { serverJsonRequirements } from './server-json-requirements.js';
import { toolRequirements } from './tool-requirements.js';

/** Claude makes the host from a hash of the address of the server. */
const isOrigin = (domain: string | undefined) => /^https?:\/\//.test(domain ?? '');
const CLAUDE_DOMAIN = /^[0-9a-f]{16,32}\.claudemcpcontent\.com$/;

/** What the directories want of every page of an MCP App. */
const pageRequirements: Requirement<LintedPage>[] = [
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
    check: ({ uri, ui: { domain } }) =>
      unless(isOrigin(domain), `${uri} has no domain of its own, such as https://notes.example.com.`),
  },
  {
    rule: 'directory-app-domain',
    directory: 'claude',
    severity: 'error',
    source: sources.claudeApps,
    check: ({ uri, ui: { domain } }) =>
      unless(
        // An origin is the form of ChatGPT, which the server does not give to Claude.
        domain === undefined || isOrigin(domain) || CLAUDE_DOMAIN.test(domain),
        `${uri} has the domain ${domain}, and Claude takes only <hash of the server's address>.claudemcpcontent.com.`,
      ),
  },
];

interface Submission {
  tools: readonly LintedTool[];
  pages: readonly LintedPage[];
  listing: DirectoryListing;
  /** Why annotations and pages are unknown. */
  note?: string;
}

/** Checks a project against the published rules of directories. */
export function lintDirectories(
  { tools, pages, listing, note }: Submission,
  chosen: readonly Directory[],
): LintProblem[] {
  return [
    ...tools.flatMap((tool) =>
      findUnmet(toolRequirements, chosen, tool).map((problem) => ({
        ...problem,
        tool: tool.name,
        ...(tool.location && { location: tool.location }),
      })),
    ),
    ...pages.flatMap((page) =>
      findUnmet(pageRequirements, chosen, page).map((problem) => ({
        ...problem,
        ...(page.location && { location: page.location }),
      })),
    ),
    ...findUnmet(listingRequirements, chosen, { ...listing, tools }),
    ...findUnmet(serverJsonRequirements, chosen, listing),
    ...unchecked(chosen, note),
  ];
}

/** A check that did not run must not look like one that found nothing. The registry does not look at tools. */
function unchecked(chosen: readonly Directory[], note: string | undefined): LintProblem[] {
  if (note === undefined || chosen.every((directory) => directory === 'registry')) return [];
  const message = 'hints and pages could not be checked: build the project, and see the note below.';
  return [{ rule: 'directory-unchecked', severity: 'error', message }];
}
