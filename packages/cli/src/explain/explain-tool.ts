import { isToolwrightError } from '@toolwright/core';
import type { ExplainedPrograms, StepDescription, ToolExplanation } from '@toolwright/core/operate';
import { concealSensitive, type JsonSchema, nearestNames, reasonOf } from '@toolwright/json';
import type { InspectedEntry, KeywordOrigin } from '@toolwright/schema-compiler';
import {
  CommandError,
  type Style,
  type Terminal,
  formatTable,
  inLine,
  styleFor,
  type TableShape,
  wrapWords,
  usageError,
} from '@toolwright/operate/terminal';
import type { AppSnapshot } from '../app/app-snapshot.js';
import { lookAtProject } from '../app/look-at-project.js';
import { dotted, type EnforcedOnly, formatUnpublished, unpublishedParts } from './enforced-only.js';
import { describeSchedule, describeSchema } from '../output/format-tools.js';
import { formatPrograms } from './explained-programs.js';

/** One of several tools of a name, in short. */
interface Candidate {
  for: string;
  description?: string;
  key: string;
}

/** What `toolwright explain` shows about a tool. */
export interface ExplainedTool {
  name: string;
  key: string;
  description?: string;
  annotations?: ToolExplanation['annotations'];
  input: JsonSchema;
  output: JsonSchema | null;
  origins: { input: KeywordOrigin[]; output: KeywordOrigin[] };
  /** What is checked and not in the list: the patterns of validators, and checks that no schema can express. */
  unpublished?: readonly EnforcedOnly[];
  /** The steps, outermost first. */
  pipeline?: readonly StepDescription[];
  /** Why there are no steps. */
  note?: string;
  /** The servers of the app that was looked at. */
  servers?: readonly string[];
  /** The scopes that a call needs, and what callers see that lack them. Only the server of an app says it. */
  access?: string;
  /** Whom the tool is for, if not for everybody. */
  for?: string;
  /** The other tools of this name, each for other callers. */
  others?: readonly Candidate[];
  /** Who decides about arguments beside the compiler. */
  completed?: string;
  /** What the programs of a caller may do that has all scopes: of `run_code` alone. */
  programs?: ExplainedPrograms;
  /** When the method runs by itself. What is computed at run time is missing. */
  schedule?: InspectedEntry['schedule'];
}

/**
 * Explains one tool of a project, or a method that runs by a schedule.
 *
 * @param project absolute path of the tsconfig
 * @param app what the server of the app says, in place of a server with default options
 * @throws {CommandError} if there is no tool with that name
 */
export async function explainTool(name: string, project: string, app?: AppSnapshot): Promise<ExplainedTool> {
  const { buildManifest, explainProject } = await import('@toolwright/schema-compiler');
  const { explained, names } = await explainProject({ project, name });
  const added = app?.explained.find((tool) => tool.name === name);
  if (!explained && app && added) return explainAdded(added, app);
  if (!explained) {
    const near = nearestNames(name, [...names, ...(app?.explained ?? []).map((tool) => tool.name)])[0];
    const hint = near ? `Did you mean ${near}?` : `There are: ${names.join(', ') || 'none'}.`;
    throw usageError(`No decorated method is published as ${name}. ${hint}`);
  }
  const { entry, input, output } = explained;
  const { manifest } = await buildManifest({ project });
  const planned = app
    ? (added ?? `No server of the app lists it: ${app.servers.join(', ')}.`)
    : await lookAtProject({ manifest, project }).then(
        (seen) => seen.explained.find((tool) => tool.name === entry.name),
        asNote,
      );
  const { key, description } = entry;
  return {
    name: entry.name,
    key,
    ...(description !== undefined && { description }),
    input: concealSensitive(inputOf(entry, planned)),
    output: entry.output && concealSensitive(entry.output),
    origins: { input, output },
    ...unpublishedParts(inputOf(entry, planned), entry.diagnostics),
    ...planParts(planned),
    ...(app && added && appParts(added, app)),
    ...(entry.schedule && { schedule: entry.schedule }),
    ...(entry.standard && { completed: tellCompleted(entry.standard, typeof planned === 'object') }),
  };
}

/** A tool that the app adds while it runs. It has no source that the compiler knows. */
function explainAdded(added: ToolExplanation, app: AppSnapshot): ExplainedTool {
  const { name, key = ADDED, input, output } = added;
  return {
    name,
    key,
    input: concealSensitive(input),
    output: output && concealSensitive(output),
    origins: { input: [], output: [] },
    ...unpublishedParts(input),
    ...planParts(added),
    ...appParts(added, app),
  };
}

const ADDED = 'added at run time';
/** The tool of `@toolwright/code` that runs programs. */
const RUN_CODE = 'run_code';

/** Whom a tool is for, and which other tools have its name. */
function candidateParts({ for: whom, others = [] }: ToolExplanation): Partial<ExplainedTool> {
  return {
    ...(whom !== undefined && { for: whom }),
    ...(others.length > 0 && {
      others: others.map(({ for: each = 'everybody', key = ADDED, description }) => ({
        for: each,
        key,
        ...(description !== undefined && { description }),
      })),
    }),
  };
}

function appParts(
  explained: ToolExplanation,
  { servers, tools, seenByAll, programs }: AppSnapshot,
): Partial<ExplainedTool> {
  const { name } = explained;
  const { scopes = [] } = tools.find((tool) => tool.name === name) ?? {};
  const without = seenByAll.includes(name) ? 'see it as locked' : 'do not see it';
  return {
    servers,
    ...candidateParts(explained),
    ...(name === RUN_CODE && programs && { programs }),
    ...(scopes.length > 0 && { access: `needs ${scopes.join(' ')}; callers without ${without}` }),
  };
}

/** A server has asked the Zod, Valibot and ArkType schemas in the decorators. The compiler knows their types. */
function inputOf(
  { standard, input }: { standard?: string[]; input: JsonSchema },
  planned: ToolExplanation | string | undefined,
): JsonSchema {
  return standard && typeof planned === 'object' ? planned.input : input;
}

function tellCompleted(standard: readonly string[], isKnown: boolean): string {
  const subject = standard.includes('') ? 'the arguments' : standard.join(', ');
  return isKnown
    ? `The schema in a decorator decides about ${subject}. The origins below are those of its types.`
    : `The schema in a decorator decides about ${subject}. Build the project to see it; below is what its types say.`;
}

function planParts(planned: ToolExplanation | string | undefined): Partial<ExplainedTool> {
  if (planned === undefined)
    return { note: 'It is no tool: prompts, resources and schedules have no planned pipeline here.' };
  if (typeof planned === 'string') return { note: planned };
  const { annotations, description, steps } = planned;
  return { annotations, pipeline: steps, ...(description !== undefined && { description }) };
}

/** The schemas are useful even if the classes cannot be loaded. */
function asNote(error: unknown): string {
  if (error instanceof CommandError || isToolwrightError(error)) return error.message;
  return `The compiled classes cannot be loaded: ${reasonOf(error)}`;
}

/**
 * An explanation for people: schemas with the origin of each keyword, then the steps from outside to inside.
 */
export function formatExplanation(
  explanation: ExplainedTool,
  terminal: Pick<Terminal, 'colours'> & TableShape,
): string[] {
  const style = styleFor(terminal);
  const {
    name,
    key,
    description,
    annotations = {},
    input,
    output,
    origins,
    completed,
    schedule,
    servers,
    access,
    for: whom,
    others = [],
  } = explanation;
  const hints = Object.entries(annotations).map(([hint, value]) => `${hint}: ${value}`);
  return [
    `${style.bold(name)}  ${style.dim(key)}`,
    ...(description ? description.split('\n').map((line) => `  ${line}`) : []),
    ...(hints.length > 0 ? [`  ${style.cyan(hints.join(', '))}`] : []),
    ...(servers ? [`  ${style.dim(inLine(`server: ${servers.join(', ')}`))}`] : []),
    ...(access === undefined ? [] : [`  ${inLine(access)}`]),
    ...(whom === undefined ? [] : [`  for: ${inLine(whom)}`]),
    ...(others.length > 0 ? formatCandidates(name, others, style) : []),
    ...(schedule ? ['', style.bold('Schedule'), `  ${describeSchedule(schedule)}`] : []),
    '',
    style.bold('Input'),
    ...(completed === undefined ? [] : [`  ${style.dim(completed)}`]),
    ...formatSchema(input, origins.input, terminal),
    ...formatUnpublished(explanation.unpublished, terminal),
    '',
    style.bold('Output'),
    ...(output ? formatSchema(output, origins.output, terminal) : ['  nothing']),
    '',
    style.bold('Pipeline, outermost first'),
    ...formatPipeline(explanation, terminal),
    ...formatPrograms(explanation.programs, terminal),
  ];
}

function formatCandidates(name: string, others: readonly Candidate[], style: Style): string[] {
  return [
    `  ${style.yellow(`${others.length + 1} tools have the name ${name}. This is one; --tenant chooses. The others are for:`)}`,
    ...others.map(
      ({ for: whom, description }) => `    ${inLine([whom, description].filter(Boolean).join('  '))}`,
    ),
  ];
}

function formatSchema(schema: JsonSchema, origins: KeywordOrigin[], terminal: Shown): string[] {
  const { columns = Infinity } = terminal;
  const rows = origins.map((origin) => row(schema, origin, styleFor(terminal)));
  const lines = formatTable(rows, { columns, indent: '    ' }).flatMap((line, index) => [
    line,
    ...longValue(origins[index]!).flatMap((text) =>
      wrapWords(text, columns - 8).map((part) => `        ${part}`),
    ),
  ]);
  return [`  ${describeSchema(schema)}`, ...lines];
}

/** The dotted path of the property, with a star if it is required. */
function row(
  schema: JsonSchema,
  { path, keyword, value, origin, location }: KeywordOrigin,
  style: Style,
): string[] {
  const name = dotted(path);
  const isRequired = schema.required?.includes(name) === true;
  const place = location ? `${location.file}:${location.line}:${location.column}` : '';
  return [
    isRequired ? `${name} *` : name,
    keyword,
    isLong(value) ? 'below' : JSON.stringify(value),
    `<- ${origin}`,
    style.dim(place),
  ];
}

/** A longer value would push the other columns off the screen, so it is below its row. */
const isLong = (value: unknown) => JSON.stringify(value).length > 48;

const longValue = ({ value }: KeywordOrigin) => (isLong(value) ? [JSON.stringify(value)] : []);

type Shown = Pick<Terminal, 'colours'> & TableShape;

function formatPipeline({ pipeline, note }: ExplainedTool, terminal: Shown): string[] {
  if (!pipeline) return [`  ${styleFor(terminal).yellow(note ?? 'unknown')}`];
  const rows = pipeline.map(({ name, origin, detail }, index) => [
    `${index + 1}.`,
    name,
    detail ?? '',
    `<- ${origin}`,
  ]);
  return formatTable(rows, { columns: terminal.columns, indent: '  ' });
}
