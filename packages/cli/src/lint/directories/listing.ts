import { dirname, join } from 'node:path';
import { currentText } from '../../changes/current-text.js';

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
export interface Listing extends ListingConfig {
  package: Record<string, unknown>;
  /** The content of server.json. `undefined`: there is no such file; `null`: it is no JSON object. */
  serverJson?: Record<string, unknown> | null;
}

/** Reads the nearest package.json, and the server.json beside it. */
export function readListing(directory: string, config: ListingConfig): Listing {
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
