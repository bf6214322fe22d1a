import type { HostId } from '@toolwright/hosts';
import { type JsonSchema, junitReport } from '@toolwright/json';
import type { SourceLocation } from '@toolwright/manifest';
import { type Style, styleFor, visible, visibleJson } from '@toolwright/operate/terminal';

/** The directories whose rules `lint --for` knows. */
export const directories = ['claude', 'chatgpt', 'registry'] as const;

export type Directory = (typeof directories)[number];

/** The pages on which the directories publish their rules. Every problem names one of them. */
export const sources = {
  claudeReview: 'https://claude.com/docs/connectors/building/review-criteria',
  claudeAuthentication: 'https://claude.com/docs/connectors/building/authentication',
  claudeLimits: 'https://claude.com/docs/connectors/faq',
  claudeCode: 'https://code.claude.com/docs/en/mcp',
  claudePolicy: 'https://support.claude.com/en/articles/11697096-anthropic-mcp-directory-policy',
  claudeSubmission: 'https://support.claude.com/en/articles/12922490-remote-mcp-server-submission-guide',
  claudeApps: 'https://apps.extensions.modelcontextprotocol.io/api/documents/csp-and-cors.html',
  chatgptGuidelines: 'https://developers.openai.com/apps-sdk/app-submission-guidelines',
  chatgptSubmission: 'https://developers.openai.com/apps-sdk/deploy/submission',
  chatgptReference: 'https://developers.openai.com/apps-sdk/reference',
  chatgptTools: 'https://developers.openai.com/apps-sdk/plan/tools',
  chatgptAuthentication: 'https://developers.openai.com/apps-sdk/build/auth',
  registrySchema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  registryPackages: 'https://modelcontextprotocol.io/registry/package-types',
  registryRemotes: 'https://modelcontextprotocol.io/registry/remote-servers',
  registryRequirements:
    'https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/official-registry-requirements.md',
  registryFormat:
    'https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md',
  registryChanges:
    'https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/CHANGELOG.md',
  npmExec: 'https://docs.npmjs.com/cli/commands/npx',
} as const;

/** The ids of the rules. docs/lint.md has a section on each. */
export const ruleIds = [
  'tool-name',
  'verb-first',
  'description-missing',
  'description-placeholder',
  'returns-missing',
  'parameter-description',
  'number-unbounded',
  'text-unbounded',
  'secret-unmarked',
  'hidden-unicode',
  'annotations-missing',
  'annotations-contradict',
  'not-served',
  'published-weaker',
  'destructive-unconfirmed',
  'list-size',
  'look-alike',
  'replaced-by',
  'text-for-programs',
  'directory-title',
  'directory-hints',
  'directory-name',
  'directory-read-write',
  'directory-description',
  'directory-result',
  'directory-authentication',
  'directory-app-csp',
  'directory-app-domain',
  'directory-links',
  'directory-server-json',
  'directory-unchecked',
  'host-name',
  'host-key',
  'host-choice',
  'host-same-name',
  'host-tools',
] as const;

export type RuleId = (typeof ruleIds)[number];

/** `error`: a client or a model is misled. `warning`: the tool works, but could be better. */
export interface LintProblem {
  rule: RuleId;
  severity: 'error' | 'warning';
  message: string;
  /** The name of the tool; missing if the problem concerns the whole list. */
  tool?: string;
  location?: SourceLocation;
  /** The parameter that the problem is about, and what it lacks. */
  parameter?: { readonly name: string; readonly lacks: string };
  /** Other tools with the same problem. */
  alsoIn?: readonly string[];
  /** The directory whose rule this is, and the address of the page on which it publishes the rule. */
  directory?: Directory;
  /** The same for a host. */
  host?: HostId;
  source?: string;
}

/** A tool as described by its source. */
export interface LintedTool {
  name: string;
  /** The title for people. Titles that are not literals are known only if the project has been built. */
  title?: string;
  description: string;
  input: JsonSchema;
  output: JsonSchema | null;
  /** Its doc comment has `@deprecated`. */
  deprecated?: boolean;
  /** A tool that an app adds while it runs has none. */
  location?: SourceLocation;
  /** Set if the project has been built. Annotations are values, and they exist only at run time. */
  planned?: {
    annotations: Readonly<Record<string, unknown>>;
    confirms: boolean;
    /** Several versions have the same name. */
    version?: string | undefined;
    /** Lists show a newer version. */
    isOutdated?: boolean | undefined;
    replacedBy?: string | undefined;
    isDeprecated?: boolean | undefined;
  };
}

export const problemFormats = ['text', 'json', 'github', 'junit'] as const;

interface ShownProblems {
  readonly format: (typeof problemFormats)[number];
  /** For `junit`: the rules that were followed. */
  readonly rules?: readonly RuleId[];
  /** For `junit`: whether a problem makes the command fail. */
  fails?(problem: LintProblem): boolean;
  /** Returns the path of a file for the reader of the lines. */
  placeOf(file: string): string;
  /** For `text` on a screen. */
  readonly style?: Style;
}

export function formatProblems(
  problems: readonly LintProblem[],
  { format, rules = [], fails = () => true, placeOf, style = plain }: ShownProblems,
): string[] {
  if (format === 'json')
    return [visibleJson(problems.map((problem) => ({ ...problem, docs: `docs/lint.md#${problem.rule}` })))];
  if (format === 'junit') {
    const line = (problem: LintProblem) => asLine(withSource(problem), placeOf);
    const failed = problems.filter(fails);
    const cases = rules.map((rule) => {
      const own = failed.filter((problem) => problem.rule === rule);
      return { name: rule, group: 'toolwright lint', problems: own.map(line), kind: rule };
    });
    const notes = problems.filter((problem) => !fails(problem)).map(line);
    return [junitReport('toolwright lint', cases, { at: new Date(), notes }).trimEnd()];
  }
  if (format === 'github') return problems.map((problem) => visible(asCommand(withSource(problem), placeOf)));
  return problems.map((problem) => asLine(withSource(problem), placeOf, style));
}

const plain = styleFor({ colours: false });

/** The rule of a directory or a host is named with the page that contains it. */
function withSource({ directory, host, source, ...problem }: LintProblem): LintProblem {
  const owner = directory ?? host;
  const rule = owner === undefined ? '' : ` (${owner}: ${source})`;
  return { ...problem, message: `${problem.message}${rule}` };
}

function asLine(
  { rule, severity, message, tool, location }: LintProblem,
  placeOf: (file: string) => string,
  { red, yellow, dim, bold }: Style = plain,
): string {
  const place = location ? `${placeOf(location.file)}:${location.line}:${location.column}: ` : '';
  const painted = severity === 'error' ? red(severity) : yellow(severity);
  const of = tool === undefined ? '' : `${bold(visible(tool))}: `;
  return `${dim(visible(place))}${painted}: ${rule}: ${of}${visible(message)}`;
}

/** A workflow command. GitHub shows it at the line that it names. */
function asCommand(
  { rule, severity, message, tool, location }: LintProblem,
  placeOf: (file: string) => string,
): string {
  const place = location
    ? `file=${escape(placeOf(location.file))},line=${location.line},col=${location.column},`
    : '';
  return `::${severity} ${place}title=${rule}::${escape(tool === undefined ? message : `${tool}: ${message}`)}`;
}

/** The text may come from a name or a path. It must not end the command or start another one. */
function escape(text: string): string {
  return text.replace(/[%\r\n:,]/g, (character) => encodeURIComponent(character));
}
