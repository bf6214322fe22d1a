import { dirname, join } from 'node:path';
import { type Directory, type LintedTool, sources } from '../lint-problem.js';
import { type Requirement, unless } from './requirement.js';
import { currentText } from '@toolwright/operate/terminal';

/** How callers of a server say who they are. */
export const authentications = ['oauth', 'none', 'token'] as const;

/** What only its author knows about a server: `toolwright.lint.listing` in the package.json. */
export interface ListingConfig {
  privacyPolicy?: string;
  support?: string;
  documentation?: string;
  authentication?: (typeof authentications)[number];
}

export const listingSettings = ['privacyPolicy', 'support', 'documentation', 'authentication'] as const;

/** What a directory shows beside the tools. */
export interface DirectoryListing extends ListingConfig {
  package: Record<string, unknown>;
  /** The content of server.json. `undefined`: there is no such file; `null`: it is not a JSON object. */
  serverJson?: Record<string, unknown> | null;
}

/** Reads the nearest package.json, and the server.json beside it. */
export function readListing(directory: string, config: ListingConfig): DirectoryListing {
  const text = currentText(join(directory, 'package.json'));
  if (text === undefined)
    return dirname(directory) === directory
      ? { ...config, package: {} }
      : readListing(dirname(directory), config);
  const described = asObject(text) ?? {};
  const { bugs, homepage } = described;
  const support = typeof bugs === 'object' && bugs !== null ? { ...bugs } : { url: bugs };
  const { url, email } = support as { url?: unknown; email?: unknown };
  const serverJson = currentText(join(directory, 'server.json'));
  return {
    ...textOf('support', url ?? email),
    ...textOf('documentation', homepage),
    ...config,
    package: described,
    ...(serverJson !== undefined && { serverJson: asObject(serverJson) }),
  };
}

function asObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

const textOf = (name: 'support' | 'documentation', value: unknown) =>
  typeof value === 'string' ? { [name]: value } : {};

const isWebPage = (value: string | undefined) =>
  value !== undefined && /^https:\/\/[^/\s]+\.[^\s]+$/.test(value);
const isContact = (value: string | undefined) =>
  isWebPage(value) || /^(mailto:)?[^@\s:/]+@[^@\s]+\.[^@\s]+$/.test(value ?? '');

type Subject = DirectoryListing & { tools: readonly LintedTool[] };

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
