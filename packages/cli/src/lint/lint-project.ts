import { dirname, join } from 'node:path';
import { ConfigurationError } from '@toolwright/core';
import { DEFAULT_PAGE_SIZE } from '@toolwright/core/checks';
import { nameForHosts } from '@toolwright/hosts';
import {
  type JsonSchema,
  reasonOf,
  shortForm,
  toClientSafe,
  tokensOfTool,
  type ToolInList,
} from '@toolwright/json';
import type { Manifest, ManifestEntry } from '@toolwright/manifest';
import { findUnserved } from '../build/project-notes.js';
import { soundManifest } from '../build/sound-manifest.js';
import { lintDirectories } from './directories/lint-directories.js';
import { readListing } from './directories/listing.js';
import type { AppSnapshot } from '../app/app-snapshot.js';
import { lookAtProject } from '../app/look-at-project.js';
import type { LintProblem, LintedTool } from './lint-problem.js';
import { applyRules, type LintConfig } from './lint-config.js';
import { findHiddenInEntry, findHiddenInProblems } from './hidden-problems.js';
import { type LintPlan, addedTools, notListed, planOf } from './planned-tools.js';
import { loadCounter } from '../contract/tokens/count-tokens.js';
import { lintLookAlikes } from './look-alikes.js';
import { lintReplacements } from './replacements.js';
import { lintHosts } from './lint-hosts.js';
import { lintTool } from './tool-rules.js';
import { readJsonFile } from '@toolwright/operate/terminal';

export interface LintResult {
  problems: LintProblem[];
  tools: number;
  /** Why annotations could not be checked. */
  note?: string;
  /** A sentence about each part that only the app can show. */
  needsApp: readonly string[];
  /** The server that was looked at, if it could be. */
  seen?: AppSnapshot;
}

/** How many tokens the list of tools may take by default. */
export const DEFAULT_BUDGET = 10_000;

/**
 * Checks the tools of a project from the view of a model that has to choose among them.
 *
 * @param project absolute path of the tsconfig
 * @param known.manifest its manifest, if it is known and has no errors
 * @param known.app what the server of the app says, in place of a server with default options
 * @throws {CommandError} if the project has schema errors
 */
export async function lintProject(
  project: string,
  config: LintConfig,
  { manifest: compiled, app }: { manifest?: Manifest; app?: AppSnapshot | undefined } = {},
): Promise<LintResult> {
  const manifest = compiled ?? (await soundManifest(project));
  const hidden = manifest.entries.flatMap((entry) => findHiddenInEntry(entry, manifest));
  const needsApp: string[] = [];
  const look = app
    ? Promise.resolve(app)
    : lookAtProject({ manifest, project, needsApp: (sentence) => void needsApp.push(sentence) });
  const seen = await look.catch((error: unknown) => {
    if (error instanceof ConfigurationError) hidden.push(...findHiddenInProblems(error, hidden));
    return asNote(error);
  });
  const { plans, pages, note } =
    typeof seen === 'string'
      ? { plans: new Map<string, LintPlan>(), pages: [], note: seen }
      : { ...planOf(seen), note: undefined };
  const { directories = [], hosts = [], listing = {} } = config;
  const tools = [
    ...manifest.entries
      .filter(({ kinds }) => kinds.includes('tool'))
      .map((entry) => lintedTool(entry, manifest, plans.get(entry.key))),
    ...addedTools(app),
  ];
  const newest = tools.filter((tool) => !tool.planned?.isOutdated);
  const ofPackages = new Set(app?.ofPackages);
  const isJudged = ({ name }: LintedTool) => !ofPackages.has(name);
  const judged = tools.filter(isJudged);
  const listed = listedBy(app, newest);
  return {
    problems: applyRules(
      [
        ...judged.flatMap((tool) => lintTool(tool, config.verbs)),
        ...hidden,
        ...(app ? notListed(app, manifest) : notServed(dirname(project), manifest)),
        ...lintLookAlikes(newest.filter(isJudged)),
        ...lintReplacements(tools, app ? 'error' : 'warning'),
        ...lintPrograms(app, judged),
        ...(await lintList(listed, config.budget ?? DEFAULT_BUDGET)),
        ...lintHosts(
          {
            name: serverNameOf(dirname(project)),
            tools: listed,
            onLaterPages: app
              ? listed.filter(({ name }) => !app.firstPage.includes(name))
              : listed.slice(DEFAULT_PAGE_SIZE),
          },
          hosts,
        ),
        ...lintDirectories(
          {
            tools: newest.filter(isJudged),
            pages,
            listing: readListing(dirname(project), listing),
            ...(note !== undefined && { note }),
          },
          directories,
        ),
      ],
      config,
    ),
    tools: judged.length,
    ...(note !== undefined && { note }),
    needsApp,
    ...(typeof seen === 'object' && { seen }),
  };
}

/** Without a server that lists it, no model ever sees the tools of a class. */
const notServed = (root: string, manifest: Manifest): LintProblem[] =>
  findUnserved(root, manifest).map(({ message, file, line, column }) => ({
    rule: 'not-served',
    severity: 'warning',
    message,
    location: { file, line, column },
  }));

function lintedTool(entry: ManifestEntry, { schemas }: Manifest, plan: LintPlan | undefined): LintedTool {
  const input = schemas[entry.input]!;
  const title = plan?.title ?? entry.title;
  return {
    name: entry.name ?? entry.method,
    ...(title !== undefined && { title }),
    description: entry.description ?? '',
    input: entry.standard ? (plan?.input ?? judgeable(entry, input)) : input,
    output: entry.output === null ? null : schemas[entry.output]!,
    location: entry.location,
    ...(entry.deprecated !== undefined && entry.deprecated !== false && { deprecated: true }),
    ...(plan && { planned: plan.planned }),
  };
}

/** The arguments whose schemas the compiler knows. Only a built project shows the others. */
function judgeable({ standard = [] }: ManifestEntry, input: JsonSchema): JsonSchema {
  if (standard.includes('')) return { type: 'object' };
  const known = Object.entries(input.properties ?? {}).filter(([name]) => !standard.includes(name));
  return { ...input, properties: Object.fromEntries(known) };
}

/** A program takes a text apart by guessing. Only the app says that models write programs. */
function lintPrograms(app: AppSnapshot | undefined, tools: readonly LintedTool[]): LintProblem[] {
  const texts = new Set(app?.programs?.tools.flatMap(({ name, isText }) => (isText ? [name] : [])));
  return tools
    .filter(({ name }) => texts.has(name))
    .map(({ name, location }) => ({
      rule: 'text-for-programs',
      severity: 'warning',
      message: 'programs get its result as text. Give the method a return type, or the tool an outputSchema.',
      tool: name,
      ...(location && { location }),
    }));
}

/** People usually add a server under the name of its package. */
function serverNameOf(root: string): string {
  const name = readJsonFile<{ name?: unknown }>(join(root, 'package.json'))?.value.name;
  return nameForHosts(typeof name === 'string' ? name : '');
}

function asNote(error: unknown): string {
  return `Annotations were not checked. ${reasonOf(error)}`;
}

/** With a search, the list of an app has a few of its tools only. */
function listedBy(app: AppSnapshot | undefined, tools: LintedTool[]): LintedTool[] {
  if (!app) return tools;
  const listed = new Set(app.tools.map(({ name }) => name));
  return tools.filter(({ name }) => listed.has(name));
}

/** It counts as `lock` does: the schemas that lists show. */
async function lintList(tools: LintedTool[], budget: number): Promise<LintProblem[]> {
  const count = await loadCounter();
  const costs = tools
    .map((tool) => ({ name: tool.name, tokens: tokensOfTool(asPublished(tool), count) }))
    .sort((a, b) => b.tokens - a.tokens);
  const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  if (total <= budget) return [];
  const most = costs.slice(0, 3).map(({ name, tokens }) => `${name} ${tokens}`);
  const message = `the list takes ${total} tokens (o200k) of every conversation, ${budget} are allowed; most: ${most.join(', ')}.`;
  return [{ rule: 'list-size', severity: 'warning', message }];
}

function asPublished({ name, title, description, input, output, planned }: LintedTool): ToolInList {
  const annotations = planned?.annotations ?? {};
  return {
    name,
    description,
    inputSchema: shortForm(toClientSafe(input, { role: 'input' })),
    ...(title !== undefined && { title }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(output && { outputSchema: toClientSafe(output, { role: 'output' }) }),
  };
}
