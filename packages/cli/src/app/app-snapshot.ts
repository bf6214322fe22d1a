import type { BoundResource, ConfigurationError } from '@toolwright/core';
import type { Manifest, SourceLocation } from '@toolwright/manifest';
import type { ExplainedPrograms, ToolExplanation } from '@toolwright/core/operate';
import type { Parts } from '../contract/listed-parts.js';
import type { OpenApiSettings } from '../contract/lock-settings.js';
import type { Skills } from '../contract/skills.js';
import type { ToolContract, UpstreamContract } from '../contract/lock-file.js';

/** The page of an MCP App. */
export interface LintedPage {
  uri: string;
  ui: NonNullable<BoundResource['ui']>;
  location?: SourceLocation;
}

/** An operation of a server. Without a key it was added at run time. */
interface ServedOperation {
  /** A resource is known by its URI, a template by its URI template. */
  name: string;
  /** The key of its entry in the manifest. */
  key?: string;
}

/** What the servers of an app are, with their own options and all that the app adds while it starts. */
export interface AppSnapshot {
  /** Name and version of each server that the app makes. */
  servers: string[];
  operations: ServedOperation[];
  explained: ToolExplanation[];
  /** The tools that packages of Toolwright add themselves, such as those of the search. Nobody can write them better. */
  ofPackages: string[];
  /** As a caller sees them that has all scopes. */
  tools: ToolContract[];
  /** The names of those on the first page of the list. */
  firstPage: string[];
  /** Every version of each tool that has versions. */
  versions: ToolContract[];
  /** The tools that this caller may call and no list shows: a search or programs find them. */
  unlisted: ToolContract[];
  /** The tools that are only for other callers, each named with them: `export (AcmeTools)`. */
  forOthers: ToolContract[];
  parts: Parts;
  /** The digests of the files of skills. Left out if no server has skills. */
  skills?: Skills;
  /** What programs may do of a caller that has all scopes. Left out if no server has code mode. */
  programs?: ExplainedPrograms;
  /** What servers behind offer, by the names of their mounts. `null`: it cannot be reached. */
  upstreams: Record<string, UpstreamContract | null>;
  /** The tools that a caller without scopes sees. */
  seenByAll: string[];
  /** The pages of MCP Apps. */
  pages: LintedPage[];
}

/** What a process is to look at: the compiled classes of a project, or the gateway of a configuration file. */
export type LookQuestion =
  | {
      readonly manifest: Manifest;
      readonly root: string;
      readonly clientSafe: boolean;
      /** What the app adds at run time from specifications. */
      readonly openapi: readonly OpenApiSettings[];
    }
  | { readonly config: string; readonly accepts: boolean };

export interface LookReport {
  is: 'seen';
  snapshot: AppSnapshot;
  /** A sentence about each part that only the server of the app can show. */
  needsApp?: readonly string[];
}

/** Why nothing was seen. */
export interface LookFailure {
  message: string;
  /** The problems of a server that cannot be created. */
  problems?: ConfigurationError['problems'];
  /** The message is a whole one, for people. */
  isPlain?: boolean;
}

/** What the process of an app says once, before it ends. */
export type AppReport = LookReport | ({ is: 'failed' } & LookFailure);
