import Ajv, { type AnySchema } from 'ajv/dist/2020';
import { createMcpServer, type McpServer, RequireScopes } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { type ApiPlan, planOperations } from '../../src/model/plan-operations';
import type { PlannedOperation } from '../../src/model/planned-operation';
import type { JsonSchema } from '../../src/model/schema-facts';
import type { MediaType, OpenApiDocument, PathItem, Response, Schema } from '../../src/read/openapi-document';
import { Specification } from '../../src/read/specification';
import { openApiTools } from '../../src/run/openapi-tools';
import { AnsweringApi } from './answering-api';
import { serversAt } from './check-every-tool';
import { lossesOf } from './compare-answers';
import { generateArguments } from './generate-arguments';
import { AnswerGenerator, randomNumbers } from './generate-answers';
import { asLatest } from './latest-schemas';

export interface CheckedAnswers {
  /** How many answers were sent. */
  readonly sent: number;
  /** Answers that did not arrive as they were sent, with the tool. */
  readonly wrong: readonly { readonly tool: string; readonly sent: string; readonly problems: string[] }[];
}

export interface AnswerChecking {
  readonly seed: number;
  /** How many answers of each operation are tried. */
  readonly answers: number;
  /** Only each so many of the operations. */
  readonly step?: number;
  /** A server whose tools were generated as code. Default: tools of run time. */
  readonly serve?: (baseUrl: string) => Promise<McpServer>;
}

/** Sends answers that the schemas of a specification allow, and compares what the callers of its tools get. */
export async function checkAnswers(
  document: OpenApiDocument,
  checking: AnswerChecking,
): Promise<CheckedAnswers> {
  const api = new AnsweringApi();
  const baseUrl = await api.open();
  const server = checking.serve
    ? await checking.serve(baseUrl)
    : await createMcpServer({
        name: 'answers',
        version: '1.0.0',
        services: [],
        audit: false,
        rateLimit: false,
        logger: silentLogger,
      });
  try {
    if (!checking.serve)
      await openApiTools(server, {
        spec: document,
        retries: 0,
        baseUrl,
        servers: serversAt(document, baseUrl),
        fetch: toStub(baseUrl),
      });
    return await checkTools(server, { document, api, checking });
  } finally {
    await server.close();
    await api.close();
  }
}

/** Every request goes to the stub, also where an operation has an address of its own. */
const toStub =
  (baseUrl: string): typeof fetch =>
  (input, init) => {
    const { pathname, search } = new URL(String(input));
    return fetch(new URL(pathname + search, baseUrl), init);
  };

async function checkTools(
  server: McpServer,
  { document, api, checking }: { document: OpenApiDocument; api: AnsweringApi; checking: AnswerChecking },
): Promise<CheckedAnswers> {
  const specification = new Specification(document);
  const ajv = new Ajv({ strict: false, logger: false, validateFormats: false });
  ajv.addSchema(asLatest(document) as AnySchema, 'spec');
  const plan = planOperations(specification);
  const scopes = server.tools.list().flatMap((tool) => [...(RequireScopes.of(tool)?.options.scopes ?? [])]);
  const client = await connect(server, { principal: { subject: 'ann', scopes } as never });
  const tools = new Map(server.tools.list().map((tool) => [tool.name, tool]));
  const random = randomNumbers(checking.seed);
  const generator = new AnswerGenerator(specification, random);
  const wrong: { tool: string; sent: string; problems: string[] }[] = [];
  let sent = 0;
  for (const [index, operation] of plan.operations.entries()) {
    if (operation.result.kind !== 'json' || index % (checking.step ?? 1) !== 0) continue;
    const answer = answerOf(specification, operation);
    const tool = tools.get(operation.toolName);
    if (!answer || !tool) continue;
    const fits = checkOf(ajv, answer.pointer);
    const args = generateArguments(tool.inputSchema as JsonSchema, 0);
    for (let count = 0; count < checking.answers; count += 1) {
      const value = generator.value(answer.schema);
      if (!fits(value) || isEmptyPage(operation, value)) continue;
      api.answer = JSON.stringify(value);
      sent += 1;
      const limit = limitFor(operation, value);
      const result = await client.call(operation.toolName, { ...args, ...limit });
      const problems = result.isError
        ? [JSON.stringify(result.content).slice(0, 300)]
        : differences(operation, value, {
            got: result.structuredContent,
            schema: tool.outputSchema as JsonSchema,
          });
      if (problems.length > 0)
        wrong.push({ tool: operation.toolName, sent: api.answer.slice(0, 300), problems });
    }
  }
  return { sent, wrong };
}

/** The stub gives one page and may name another. So a call asks for what the page has: the list ends at its limit. */
const limitFor = ({ paging }: PlannedOperation, value: unknown) =>
  paging && { limit: Math.max(listIn(paging.items, value).length, 1) };

/** A page without items that says that there are more has no end. */
const isEmptyPage = ({ paging }: PlannedOperation, value: unknown) =>
  paging?.next !== undefined && listIn(paging.items, value).length === 0;

function listIn(items: string | undefined, value: unknown): unknown[] {
  const list = items === undefined ? value : (value as Record<string, unknown>)[items];
  return Array.isArray(list) ? list : [];
}

/** Whether a value fits. A schema that is broken, or that Ajv never ends with because it is its own base, judges nothing. */
function checkOf(ajv: Ajv, pointer: string): (value: unknown) => boolean {
  return (value) => {
    try {
      return ajv.compile({ $ref: `spec${pointer}` })(value);
    } catch {
      return false;
    }
  };
}

function differences(
  { paging }: PlannedOperation,
  value: unknown,
  { got, schema }: { got: unknown; schema: JsonSchema },
): string[] {
  if (!paging) return lossesOf(value, got, schema);
  const items = listIn(paging.items, value);
  // A stub that names a next page for ever repeats itself.
  return lossesOf(items, Array.isArray(got) ? got.slice(0, items.length) : got, schema);
}

function answerOf(
  specification: Specification,
  { method, path }: Pick<ApiPlan['operations'][number], 'method' | 'path'>,
): { schema: Schema; pointer: string } | undefined {
  const item = specification.resolve<PathItem>(specification.document.paths![path]).value;
  const responses = item[method.toLowerCase() as 'get']?.responses ?? {};
  const code = Object.keys(responses).find((each) => /^2(?:\d\d|XX)$/i.test(each)) ?? 'default';
  const { value, pointer } = specification.resolve<Response>(responses[code]);
  const [type, media] =
    Object.entries<MediaType>(value.content ?? {}).find(([each]) => /json|^\*/.test(each)) ?? [];
  if (type === undefined || media?.schema === undefined) return undefined;
  const at = pointer ?? `#/paths/${escape(path)}/${method.toLowerCase()}/responses/${code}`;
  return { schema: media.schema as Schema, pointer: `${at}/content/${escape(type)}/schema` };
}

const escape = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
