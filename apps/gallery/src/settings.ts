import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Callers } from './callers/bearer-tokens.js';
import { exampleData } from './example-data.js';
import type { GithubSettings } from './github/github-client.js';

/** What the environment decides. */
export interface Settings {
  /** TCP port on 127.0.0.1; 0 takes a free one. */
  port: number;
  /** The folder whose files the tools may read. */
  dataFolder: string;
  /** The folder whose packages bring further tools. */
  pluginFolder: string;
  /** Who may come with which token; without it everybody is anonymous. */
  callers: Callers;
  /** Where calls are recorded; without it nowhere. */
  auditFile: string | undefined;
  /** Where issues go; without it there is no tool for them. */
  github: GithubSettings | undefined;
  /** Whether there is a library; its client reads where it is. */
  library: boolean;
  /** Whether there is a workshop; its database reads where it is. */
  workshop: boolean;
}

/** Reads PORT, GALLERY_DATA, GALLERY_PLUGINS, GALLERY_CALLERS, GALLERY_AUDIT, GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL, LIBRARY_API_URL and WORKSHOP_DATABASE_URL. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { PORT, GALLERY_DATA, GALLERY_PLUGINS, GALLERY_CALLERS } = environment;
  return {
    port: Number(PORT || 3000),
    dataFolder: GALLERY_DATA || exampleData(),
    pluginFolder: GALLERY_PLUGINS || join(__dirname, '..', 'plugins'),
    callers: GALLERY_CALLERS ? (JSON.parse(readFileSync(GALLERY_CALLERS, 'utf8')) as Callers) : {},
    auditFile: environment.GALLERY_AUDIT || undefined,
    github: readGithub(environment),
    library: Boolean(environment.LIBRARY_API_URL),
    workshop: Boolean(environment.WORKSHOP_DATABASE_URL),
  };
}

function readGithub(environment: NodeJS.ProcessEnv): GithubSettings | undefined {
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository, GITHUB_API_URL: apiUrl } = environment;
  if (!token || !repository) return undefined;
  return { token, repository, apiUrl: apiUrl || 'https://api.github.com' };
}
