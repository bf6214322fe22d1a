import { createMcpServer, type McpServer, RequireScopes } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import type { JsonSchema } from '../../src/model/schema-facts';
import { planOperations } from '../../src/model/plan-operations';
import type { OpenApiDocument } from '../../src/read/openapi-document';
import { Specification } from '../../src/read/specification';
import { openApiTools, type OpenApiToolsOptions } from '../../src/run/openapi-tools';
import { generateArguments } from './generate-arguments';
import { StubApi, type Violation } from './stub-api';

export interface CheckedTools {
  readonly tools: string[];
  /** Tools of which a request broke the specification, or whose call failed. */
  readonly wrong: readonly WrongTool[];
}

export interface WrongTool {
  readonly tool: string;
  readonly problems: string[];
}

/** Adds the tools of a specification at run time, and calls each against a stub of the API. */
export async function checkEveryTool(
  document: OpenApiDocument,
  options: Partial<OpenApiToolsOptions> = {},
  ofStub: OpenApiDocument = document,
): Promise<CheckedTools> {
  const stub = new StubApi(ofStub);
  const baseUrl = await stub.open();
  const server = await createMcpServer({
    name: 'check',
    version: '1.0.0',
    services: [],
    audit: false,
    rateLimit: false,
    logger: silentLogger,
  });
  try {
    const servers = serversAt(document, baseUrl);
    await openApiTools(server, { spec: document, token: 'secret', retries: 0, ...options, baseUrl, servers });
    return await checkTools(server, stub);
  } finally {
    await server.close();
    await stub.close();
  }
}

/** The addresses of operations, which all lead to the stub. */
export const serversAt = (document: OpenApiDocument, baseUrl: string): Record<string, string> =>
  Object.fromEntries(
    planOperations(new Specification(document), { include: ['*'] }).operations.flatMap((each) =>
      each.baseUrl === undefined ? [] : [[each.baseUrl, baseUrl]],
    ),
  );

/** Calls every tool twice, with the fewest and with all arguments that its schema names. */
export async function checkTools(server: McpServer, stub: StubApi): Promise<CheckedTools> {
  const scopes = server.tools.list().flatMap((tool) => [...(RequireScopes.of(tool)?.options.scopes ?? [])]);
  const client = await connect(server, { principal: { subject: 'ann', scopes } as never });
  const tools = await client.tools();
  // A list leaves out keywords that some hosts refuse. The arguments are those of the whole schema.
  const schemas = new Map(
    server.tools.list().map(({ name, inputSchema }) => [name, withoutCursor(inputSchema as JsonSchema)]),
  );
  const wrong: WrongTool[] = [];
  for (const { name } of tools) {
    const problems: string[] = [];
    for (const level of [0, 1] as const) {
      const before = stub.violations.length;
      problems.push(...(await call(client, name, generateArguments(schemas.get(name)!, level))));
      problems.push(...stub.violations.slice(before).map(({ problem }: Violation) => problem));
    }
    if (problems.length > 0) wrong.push({ tool: name, problems });
  }
  return { tools: tools.map(({ name }) => name), wrong };
}

type Client = Awaited<ReturnType<typeof connect>>;

async function call(client: Client, tool: string, args: Record<string, unknown>): Promise<string[]> {
  try {
    const result = await client.call(tool, args);
    return result.isError ? [JSON.stringify(result.content).slice(0, 300)] : [];
  } catch (error) {
    return [(error as Error).message.slice(0, 300)];
  }
}

/** A cursor goes on with an earlier result of the same arguments. No made-up one does. */
function withoutCursor(schema: JsonSchema): JsonSchema {
  const { cursor, ...properties } = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const isOurs = String(cursor?.description).includes('cursor of its note');
  return isOurs ? { ...schema, properties } : schema;
}
