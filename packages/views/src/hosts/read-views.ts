import { readMeta } from './host-profiles.js';
import type { ShownResult, ShownTool, ViewServer, ViewUnderTest } from './view-under-test.js';

/** What is asked of a server. `@toolwright/client` has it. */
export interface ViewClient {
  tools(): Promise<readonly ShownTool[]>;
  resources(): Promise<readonly ListedResource[]>;
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** A page in a host, for a report. */
export interface ReportedCase {
  readonly name: string;
  readonly group: string;
  readonly problems: readonly string[];
  readonly kind: string;
}

/** A page that is not tried, and why. */
export interface Untried {
  readonly tool: string;
  readonly reason: string;
}

export interface ViewsToRead {
  /** A tool, a URI or the last part of a URI. Default: all. */
  readonly wanted?: string | undefined;
  /** Arguments by tool. They also allow a tool to run that is not read-only. */
  readonly given: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface ListedResource {
  readonly uri: string;
  readonly _meta?: unknown;
}

/** Reads the pages that tools show, and runs each of these tools once for a result that its page can show. */
export async function readViews(
  client: ViewClient,
  tools: readonly ShownTool[],
  { wanted, given }: ViewsToRead,
): Promise<{ readonly views: readonly ViewUnderTest[]; readonly untried: readonly Untried[] }> {
  const resources = await client.resources();
  const views: ViewUnderTest[] = [];
  const untried: Untried[] = [];
  for (const tool of tools) {
    const uri = pageOf(tool._meta);
    if (uri === undefined) continue;
    if (wanted !== undefined && ![tool.name, uri, uri.split('/').at(-1)].includes(wanted)) continue;
    const input = given[tool.name] ?? argumentsOf(tool);
    if (typeof input === 'string') untried.push({ tool: tool.name, reason: input });
    else views.push(await readView(client, { tool, uri, input, resources }));
  }
  return { views, untried };
}

/** What pages may ask of the server while they are shown: their own tools, if they change nothing. */
export function viewServerOf(client: ViewClient, tools: readonly ShownTool[]): ViewServer {
  return {
    async callTool(name, args) {
      const tool = tools.find((each) => each.name === name);
      if (tool?.annotations?.readOnlyHint !== true)
        throw new Error(`An emulated host runs only tools with readOnlyHint, and "${name}" is none.`);
      return client.request('tools/call', { name, arguments: args });
    },
    readResource: (uri) => client.request('resources/read', { uri }),
  };
}

function pageOf(meta: unknown): string | undefined {
  const paths = [['ui', 'resourceUri'], ['ui/resourceUri'], ['openai/outputTemplate']];
  return paths.map((path) => readMeta(meta, path)).find((uri): uri is string => typeof uri === 'string');
}

/** The arguments to run a tool with, or why it cannot be run. */
function argumentsOf({ name, inputSchema, annotations }: ShownTool): ShownTool['inputSchema'] | string {
  const how = `pass them: --arguments '{"${name}":{…}}'`;
  if (annotations?.readOnlyHint !== true)
    return `it has no readOnlyHint, so it is not run by itself. To run it with arguments of your choice, ${how}`;
  const {
    examples,
    properties = {},
    required = [],
  } = inputSchema as {
    examples?: readonly unknown[];
    properties?: Readonly<Record<string, { examples?: readonly unknown[]; default?: unknown }>>;
    required?: readonly string[];
  };
  const [example] = examples ?? [];
  if (typeof example === 'object' && example !== null) return example as ShownTool['inputSchema'];
  const known = Object.entries(properties).flatMap(([key, schema]) => {
    const value = schema.examples?.[0] ?? schema.default ?? firstChoice(schema);
    return value === undefined ? [] : [[key, value] as const];
  });
  const args = Object.fromEntries(known);
  const missing = required.filter((key) => !Object.hasOwn(args, key));
  return missing.length === 0
    ? args
    : `nothing says what to call it with (${missing.join(', ')}). Give the parameters an @example, or ${how}`;
}

function firstChoice(schema: object): unknown {
  const { enum: choices, minimum } = schema as { enum?: readonly unknown[]; minimum?: unknown };
  return choices?.[0] ?? minimum;
}

async function readView(
  client: ViewClient,
  {
    tool,
    uri,
    input,
    resources,
  }: Pick<ViewUnderTest, 'tool' | 'uri' | 'input'> & { resources: readonly ListedResource[] },
): Promise<ViewUnderTest> {
  const answer = await client.request('resources/read', { uri });
  const contents = (answer['contents'] ?? []) as { text?: string; mimeType?: string; _meta?: unknown }[];
  const { text = '', mimeType, _meta } = contents[0] ?? {};
  const result = (await client.request('tools/call', { name: tool.name, arguments: input })) as ShownResult;
  const list = resources.find((each) => each.uri === uri)?._meta;
  return {
    tool,
    uri,
    html: text,
    mimeType,
    input,
    result,
    meta: { content: _meta, result: answer['_meta'], list },
  };
}
