import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { planOperations } from '../../src/model/plan-operations';
import { contractOf } from '../../src/model/tool-contract';
import type { OpenApiDocument } from '../../src/read/openapi-document';
import { Specification } from '../../src/read/specification';
import { openApiTools, type OpenApiToolsOptions } from '../../src/run/openapi-tools';
import { generateArguments } from './generate-arguments';
import { StubApi, type Violation } from './stub-api';

export interface CheckedTools {
  readonly tools: string[];
  /** Tools of which a request broke the specification, or whose call failed. */
  readonly wrong: { readonly tool: string; readonly problems: string[] }[];
}

/** Calls every tool twice, with the fewest and with all arguments, against a stub of the API. */
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
  });
  try {
    const tools = await openApiTools(server, {
      spec: document,
      token: 'secret',
      retries: 0,
      ...options,
      baseUrl,
    });
    const plan = planOperations(new Specification(document), options);
    const scopes = [...new Set(plan.operations.flatMap((each) => each.scopes))];
    const client = await connect(server, { principal: { subject: 'ann', scopes } as never });
    const schemas = new Map(
      plan.operations.map((each) => [each.toolName, contractOf(each, plan).inputSchema]),
    );
    const wrong = new Map<string, string[]>();
    for (const tool of tools)
      for (const level of [0, 1] as const) {
        const before = stub.violations.length;
        const problems = await call(client, tool, generateArguments(schemas.get(tool)!, level));
        problems.push(...stub.violations.slice(before).map(({ problem }: Violation) => problem));
        if (problems.length > 0) wrong.set(tool, [...(wrong.get(tool) ?? []), ...problems]);
      }
    return { tools, wrong: [...wrong].map(([tool, problems]) => ({ tool, problems })) };
  } finally {
    await server.close();
    await stub.close();
  }
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
