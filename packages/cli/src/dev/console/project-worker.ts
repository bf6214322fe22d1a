import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Contract, ContractChange, KeywordOrigin, ProjectProblem } from '@toolwright/console';
import type { Manifest, SourceLocation } from '@toolwright/manifest';
import { explainProject } from '@toolwright/schema-compiler';
import { reasonOf } from '@toolwright/json';
import type { Impact, ToolChange } from '../../contract/change.js';
import { compareContracts, comparePackages } from '../../contract/compare-contracts.js';
import { compareParts, partOfChange } from '../../contract/listed-parts.js';
import { LOCK_FILE, type Contract as Published, readLock } from '../../contract/lock-file.js';
import { publishedContract } from '../../published/published-tools.js';
import { countTools } from '../../contract/tokens/count-tokens.js';
import { readLintConfig } from '../../lint/lint-config.js';
import { DEFAULT_BUDGET, lintProject } from '../../lint/lint-project.js';

/** What is asked of the project. `project` is the absolute path of its tsconfig. */
export type ProjectQuestion =
  | { readonly ask: 'contract'; readonly project: string; readonly manifest: Manifest }
  | { readonly ask: 'origins'; readonly project: string; readonly tool: string };

export type ProjectAnswer =
  | { readonly is: 'result'; readonly result: Omit<Contract, 'problems'> | readonly KeywordOrigin[] }
  | { readonly is: 'refused'; readonly message: string };

const kindOf: Readonly<Record<Impact, ContractChange['kind']>> = {
  breaking: 'breaking',
  budget: 'breaking',
  notable: 'text',
  compatible: 'compatible',
};

async function contractOf(project: string, manifest: Manifest): Promise<Omit<Contract, 'problems'>> {
  const directory = dirname(project);
  const config = readLintConfig(directory);
  const { problems, note, needsApp, seen } = await lintProject(project, config, { manifest });
  const published = seen && (await publishedContract({ project, manifest, seen, header: {} }));
  const lockFile = join(directory, LOCK_FILE);
  const { total, tools } = await countTools(published?.listed ?? published?.tools ?? []);
  return {
    lintProblems: [
      ...problems.map(({ rule, severity, message, tool, location }) => ({
        severity,
        code: rule,
        message,
        ...(tool !== undefined && { tool }),
        ...(location && { location: placeOf(location) }),
      })),
      ...[...(note === undefined ? [] : [note]), ...needsApp].map((message): ProjectProblem => ({
        severity: 'info',
        code: 'not-checked',
        message,
      })),
    ],
    tokens: {
      total,
      budget: config.budget ?? DEFAULT_BUDGET,
      tools: Object.entries(tools).map(([name, tokens]) => ({ name, tokens })),
    },
    ...(published &&
      existsSync(lockFile) && { lockFile: LOCK_FILE, changes: changesSince(lockFile, published) }),
  };
}

/** The same changes as `toolwright diff` prints. */
function changesSince(lockFile: string, published: Published): ContractChange[] {
  const locked = readLock(lockFile);
  return [
    ...compareContracts(locked.tools ?? published.tools, published.tools).map((change) =>
      described(change, { kind: 'tool', key: change.tool }),
    ),
    ...compareParts(locked.parts, published.parts).map((change) => described(change, operationOf(change))),
    ...comparePackages(locked.packages, published.packages).map((change) => described(change)),
  ];
}

function described(
  { tool, impact, path, message }: ToolChange,
  operation?: ContractChange['operation'],
): ContractChange {
  return {
    tool,
    ...(operation && { operation }),
    kind: kindOf[impact],
    message: path === '' ? message : `${path.slice(1)}: ${message}`,
  };
}

const kindOfPart = {
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resourceTemplate',
} as const;

function operationOf(change: ToolChange): ContractChange['operation'] {
  const part = partOfChange(change);
  return part && { kind: kindOfPart[part.kind], key: part.key };
}

async function originsOf(project: string, tool: string): Promise<KeywordOrigin[]> {
  const { explained } = await explainProject({ project, name: tool });
  if (!explained) throw new Error(`No decorated method of the project is published as ${tool}.`);
  return (['input', 'output'] as const).flatMap((role) =>
    explained[role].map(({ path, keyword, origin, location }) => ({
      pointer: `/${role}${path}/${keyword}`,
      origin,
      ...(location && { location: placeOf(location) }),
    })),
  );
}

const placeOf = ({ file, line, column }: SourceLocation) => `${file}:${line}:${column}`;

async function answer(question: ProjectQuestion): Promise<ProjectAnswer> {
  try {
    const { project } = question;
    const result =
      question.ask === 'contract'
        ? await contractOf(project, question.manifest)
        : await originsOf(project, question.tool);
    return { is: 'result', result };
  } catch (error) {
    return { is: 'refused', message: reasonOf(error) };
  }
}

void answer(workerData as ProjectQuestion).then((answered) => parentPort!.postMessage(answered));
