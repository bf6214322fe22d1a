import type { Finding, LintedTool } from '../finding.js';
import type { Directory } from './directory.js';
import type { Listing } from './listing.js';
import { listingRequirements } from './listing-requirements.js';
import { pageRequirements, type LintedPage } from './page-requirements.js';
import { findBreaches } from './requirement.js';
import { serverJsonRequirements } from './server-json-requirements.js';
import { toolRequirements } from './tool-requirements.js';

export interface Submission {
  tools: readonly LintedTool[];
  pages: readonly LintedPage[];
  listing: Listing;
  /** Why annotations and pages are unknown. */
  note?: string;
}

/** Checks a project against the published rules of directories. */
export function lintDirectories(
  { tools, pages, listing, note }: Submission,
  chosen: readonly Directory[],
): Finding[] {
  return [
    ...tools.flatMap((tool) =>
      findBreaches(toolRequirements, chosen, tool).map((finding) => ({
        ...finding,
        tool: tool.name,
        location: tool.location,
      })),
    ),
    ...pages.flatMap((page) =>
      findBreaches(pageRequirements, chosen, page).map((finding) => ({
        ...finding,
        ...(page.location && { location: page.location }),
      })),
    ),
    ...findBreaches(listingRequirements, chosen, { ...listing, tools }),
    ...findBreaches(serverJsonRequirements, chosen, listing),
    ...unchecked(chosen, note),
  ];
}

/** A check that did not run must not look like one that found nothing. The registry does not look at tools. */
function unchecked(chosen: readonly Directory[], note: string | undefined): Finding[] {
  if (note === undefined || chosen.every((directory) => directory === 'registry')) return [];
  const message = 'hints and pages could not be checked: build the project, and see the note below.';
  return [{ rule: 'directory-unchecked', severity: 'error', message }];
}
