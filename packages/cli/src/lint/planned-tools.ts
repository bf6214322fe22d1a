import type { JsonSchema } from '@toolwright/json';
import type { ToolExplanation } from '@toolwright/core/operate';
import type { Manifest } from '@toolwright/manifest';
import type { AppSnapshot, LintedPage } from '../app/app-snapshot.js';
import type { LintProblem, LintedTool } from './lint-problem.js';

/** What only a server knows about a tool. */
export interface LintPlan {
  title?: string;
  planned: NonNullable<LintedTool['planned']>;
  /** With what Zod, Valibot and ArkType schemas say. */
  input: JsonSchema;
}

interface PlannedTools {
  /** By the key of the entry. */
  plans: Map<string, LintPlan>;
  /** The pages of MCP Apps. */
  pages: LintedPage[];
}

/** What a server that was looked at knows about its tools. */
export function planOf({ explained, tools, pages }: AppSnapshot): PlannedTools {
  const titles = new Map(tools.map(({ name, title }) => [name, title]));
  const plans = explained.flatMap(({ name, key, ...tool }): [string, LintPlan][] => {
    const title = titles.get(name);
    return key === undefined ? [] : [[key, planOfTool({ ...tool, ...(title !== undefined && { title }) })]];
  });
  return { plans: new Map(plans), pages };
}

/** The tools that an app adds while it runs have no place in a source. */
export function addedTools(app: AppSnapshot | undefined): LintedTool[] {
  const added = (app?.explained ?? []).filter(({ key }) => key === undefined);
  const titles = new Map(app?.tools.map(({ name, title }) => [name, title]));
  return added.map(({ name, description = '', input, output, ...tool }) => ({
    name: tool.version === undefined ? name : name.replace(`.v${tool.version}`, ''),
    ...(titles.get(name) !== undefined && { title: titles.get(name)! }),
    description,
    input,
    output,
    planned: planOfTool({ ...tool, input }).planned,
  }));
}

function planOfTool({
  title,
  annotations,
  steps,
  input,
  version,
  isOutdated,
  deprecation,
}: Omit<ToolExplanation, 'name' | 'output' | 'policies' | 'contract'> & { title?: string }): LintPlan {
  return {
    ...(title !== undefined && { title }),
    planned: {
      annotations: { ...annotations },
      confirms: steps.some(({ name }) => name === 'confirm'),
      version,
      isOutdated,
      replacedBy: deprecation?.replacedBy,
      isDeprecated: deprecation !== undefined,
    },
    input,
  };
}

/** The same, as the servers of an app know it. */
export function notListed(
  { operations, servers }: AppSnapshot,
  { entries, classes }: Manifest,
): LintProblem[] {
  const listed = new Set(operations.map(({ key }) => key));
  const served = new Set(entries.filter(({ key }) => listed.has(key)).map((entry) => entry.class));
  const keys = new Set(entries.map((entry) => entry.class));
  return [...keys]
    .filter((key) => !served.has(key))
    .map((key) => ({
      rule: 'not-served',
      severity: 'warning',
      message: `No server of the app (${servers.join(', ')}) lists ${classes[key]!.name}. Add it to its services.`,
      location: classes[key]!.location,
    }));
}
