import type { LintedTool } from '../finding.js';
import { sources, type Directory } from './directory.js';
import type { Listing } from './listing.js';
import { unless, type Requirement } from './requirement.js';

const isWebPage = (value: string | undefined) =>
  value !== undefined && /^https:\/\/[^/\s]+\.[^\s]+$/.test(value);
const isContact = (value: string | undefined) =>
  isWebPage(value) || /^(mailto:)?[^@\s:/]+@[^@\s]+\.[^@\s]+$/.test(value ?? '');

type Subject = Listing & { tools: readonly LintedTool[] };

/** What the directories want to know about a server as a whole. */
export const listingRequirements: Requirement<Subject>[] = [
  link('claude', sources.claudePolicy, 'privacyPolicy', isWebPage, 'a privacy policy at an https address'),
  link('claude', sources.claudeSubmission, 'support', isContact, 'a support page or address'),
  link('claude', sources.claudeSubmission, 'documentation', isWebPage, 'documentation at an https address'),
  link(
    'chatgpt',
    sources.chatgptGuidelines,
    'privacyPolicy',
    isWebPage,
    'a privacy policy at an https address',
  ),
  link('chatgpt', sources.chatgptGuidelines, 'support', isContact, 'a support page or address'),
  ...(
    [
      ['claude', sources.claudeAuthentication],
      ['chatgpt', sources.chatgptAuthentication],
    ] as const
  ).map(([directory, source]): Requirement<Subject> => ({
    rule: 'directory-authentication',
    directory,
    severity: 'error',
    source,
    check: ({ authentication }) =>
      authentication === undefined
        ? ['say how callers are known: listing.authentication is "oauth" or "none".']
        : unless(
            authentication !== 'token',
            'callers are known by OAuth or not at all, never by a fixed token.',
          ),
  })),
  {
    rule: 'directory-authentication',
    directory: 'chatgpt',
    severity: 'warning',
    source: sources.chatgptAuthentication,
    check: ({ authentication, tools }) => {
      const writers = tools.filter(({ planned }) => planned?.annotations['readOnlyHint'] === false);
      return unless(
        authentication !== 'none' || writers.length === 0,
        `tools that write should know their caller: ${writers.map(({ name }) => name).join(', ')}.`,
      );
    },
  },
];

function link(
  directory: Directory,
  source: string,
  name: 'privacyPolicy' | 'support' | 'documentation',
  isFine: (value: string | undefined) => boolean,
  wanted: string,
): Requirement<Subject> {
  const check = (listing: Subject) => unless(isFine(listing[name]), `listing.${name} must name ${wanted}.`);
  return { rule: 'directory-links', directory, severity: 'error', source, check };
}
