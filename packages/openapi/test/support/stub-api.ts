import Ajv, { type AnySchema } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  MediaType,
  OpenApiDocument,
  ApiOperation,
  Parameter,
  PathItem,
  RequestBody,
  Schema,
} from '../../src/read/openapi-document';
import { Specification } from '../../src/read/specification';
import { asLatest } from './latest-schemas';
import { coerce, formValue, rawValue, typesIn } from './request-values';

/** A request that broke the specification, and how. */
export interface Violation {
  readonly operation: string;
  readonly problem: string;
}

interface FoundOperation {
  readonly key: string;
  readonly operation: ApiOperation;
  readonly item: PathItem;
  readonly values: Record<string, string>;
  readonly pointer: string;
  readonly score: number;
}

/**
 * An API on loopback, made from a specification. It reads each request as the specification says, checks every
 * parameter and body with Ajv, and remembers what is wrong. It shares no code with the client but the resolver.
 */
export class StubApi {
  readonly violations: Violation[] = [];
  readonly seen: string[] = [];
  private readonly ajv = addFormats(
    new Ajv({ strict: false, coerceTypes: false, logger: false, validateFormats: true }),
  );
  private readonly specification: Specification;
  private server!: Server;

  constructor(document: OpenApiDocument) {
    this.specification = new Specification(document);
    this.ajv.addSchema(asLatest(document) as AnySchema, 'spec');
  }

  async open(): Promise<string> {
    this.server = createServer((request, response) => void this.answer(request, response));
    // A slow machine would use a connection at the moment at which its time is over.
    this.server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url!, 'http://stub');
    const found = this.find(request.method!, url.pathname);
    if (found.length === 0) {
      this.violations.push({
        operation: `${request.method} ${url.pathname}`,
        problem: 'there is no such operation',
      });
      response.writeHead(404).end();
      return;
    }
    const body = Buffer.concat(parts);
    // Two paths may differ by the names of their parameters only. The request is for the one that it fits.
    const [best] = found
      .map((each) => ({ ...each, problems: this.problemsOf(each, request, url, body) }))
      .sort((a, b) => a.problems.length - b.problems.length);
    const { key, operation, problems } = best!;
    this.seen.push(key);
    for (const problem of problems) this.violations.push({ operation: key, problem });
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(exampleAnswer(this.specification, operation));
  }

  private problemsOf(
    { pointer, item, operation, values }: FoundOperation,
    request: IncomingMessage,
    url: URL,
    body: Buffer,
  ): string[] {
    return [
      ...this.parameters(pointer, item, operation).flatMap(([each, at]) =>
        this.checkParameter(each, at, { request, url, values }),
      ),
      ...this.checkBody(pointer, operation, request, body),
      ...this.unknownQueries(pointer, item, operation, url),
    ];
  }

  /** Names in the query that no parameter has. */
  private unknownQueries(pointer: string, item: PathItem, operation: ApiOperation, url: URL): string[] {
    const parameters = this.parameters(pointer, item, operation)
      .map(([each]) => each)
      .filter((each) => each.in === 'query');
    const known = parameters.flatMap((each) => {
      const schema = this.specification.resolve<Schema>(each.schema).value;
      const isExploded = (each.style ?? 'form') === 'form' && each.explode !== false;
      if (!isExploded || !typesIn(this.specification, schema).includes('object')) return [each.name!];
      return [
        each.name!,
        ...Object.keys(schema.properties ?? {}),
        ...(schema.additionalProperties ? ['*'] : []),
      ];
    });
    const deep = parameters.filter(({ style }) => style === 'deepObject').map(({ name }) => `${name}[`);
    if (known.includes('*')) return [];
    return [...new Set(url.searchParams.keys())]
      .filter((name) => !known.includes(name) && !deep.some((start) => name.startsWith(start)))
      .map((name) => `query ${name} is not known`);
  }

  /** An escaped slash is a part of a value. Only where no path fits so, it may be a slash of the path. */
  private find(method: string, path: string): FoundOperation[] {
    const found = this.findExactly(method, path);
    return found.length > 0 ? found : this.findExactly(method, safeDecode(path));
  }

  /** The operations of the path that says the most; more than one if their paths differ by names only. */
  private findExactly(method: string, path: string): FoundOperation[] {
    let best: FoundOperation[] = [];
    for (const [template, node] of Object.entries(this.specification.document.paths ?? {})) {
      const item = this.specification.resolve<PathItem>(node).value;
      const operation = item[method.toLowerCase() as 'get'];
      if (!operation) continue;
      const names: string[] = [];
      const [bare = ''] = template.split(/[?#]/);
      const pattern = bare
        .split(/(\{[^}]+\})/)
        .map((part) => {
          if (!part.startsWith('{')) return part.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&');
          names.push(part.slice(1, -1));
          return '([^/]+)';
        })
        .join('');
      const match = new RegExp(`^${pattern}$`).exec(path);
      if (!match) continue;
      const score = bare.replace(/\{[^}]+\}/g, '').length;
      if (best[0] && best[0].score > score) continue;
      if (best[0] && best[0].score < score) best = [];
      const values = Object.fromEntries(names.map((name, index) => [name, match[index + 1]!]));
      const pointer = `#/paths/${escape(template)}/${method.toLowerCase()}`;
      best.push({ key: `${method} ${template}`, operation, item, values, pointer, score });
    }
    return best;
  }

  private parameters(pointer: string, item: PathItem, operation: ApiOperation): [Parameter, string][] {
    const own = (operation.parameters ?? []).map((each, index) =>
      this.located<Parameter>(each, `${pointer}/parameters/${index}`),
    );
    const base = pointer.slice(0, pointer.lastIndexOf('/'));
    const shared = (item.parameters ?? []).map((each, index) =>
      this.located<Parameter>(each, `${base}/parameters/${index}`),
    );
    const hasOwn = ([{ name, in: place }]: [Parameter, string]) =>
      own.some(([each]) => each.name === name && each.in === place);
    return [...own, ...shared.filter((each) => !hasOwn(each))];
  }

  private located<T extends object>(node: T | { $ref: string }, at: string): [T, string] {
    const { value, pointer } = this.specification.resolve<T>(node);
    return [value, pointer ?? at];
  }

  private checkParameter(
    parameter: Parameter,
    at: string,
    { request, url, values }: { request: IncomingMessage; url: URL; values: Record<string, string> },
  ): string[] {
    const { name = '', in: place } = parameter;
    if (place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name)) return [];
    const schema = this.specification.resolve<Schema>(parameter.schema).value;
    const raw = rawValue(parameter, typesIn(this.specification, schema), { request, url, values });
    if (raw === undefined) {
      const isCredential =
        /^(?:token|access_token|api_?key|apikey|key|x-api-key|authorization|x-figma-token)$/i.test(name);
      return parameter.required && !isCredential ? [`${place} ${name} is missing`] : [];
    }
    if (parameter.content) {
      const [type] = Object.keys(parameter.content);
      return this.check(
        `${at}/content/${escape(type!)}/schema`,
        JSON.parse(raw as string),
        `${place} ${name}`,
      );
    }
    const problems = this.check(`${at}/schema`, coerce(this.specification, raw, schema), `${place} ${name}`);
    // A list or a single text: both look alike in a query.
    if (problems.length === 0 || !Array.isArray(raw) || raw.length !== 1) return problems;
    return this.check(`${at}/schema`, coerce(this.specification, raw[0], schema), `${place} ${name}`)
      .length === 0
      ? []
      : problems;
  }

  private checkBody(
    pointer: string,
    operation: ApiOperation,
    request: IncomingMessage,
    bytes: Buffer,
  ): string[] {
    if (!operation.requestBody) return bytes.length > 0 ? ['has a body'] : [];
    const [body, at] = this.located<RequestBody>(operation.requestBody, `${pointer}/requestBody`);
    const content = body.content ?? {};
    if (Object.keys(content).length === 0) return [];
    const sent = request.headers['content-type']?.split(';')[0];
    if (sent === undefined) return body.required ? ['has no body'] : [];
    const [type, media] =
      Object.entries(content).find(([each]) => each.split(';')[0]!.toLowerCase() === sent) ??
      Object.entries(content).find(([each]) => each === '*/*' || each === `${sent.split('/')[0]}/*`) ??
      [];
    if (type === undefined) return [`sends ${sent}, which is not one of ${Object.keys(content).join(', ')}`];
    if (!media?.schema) return [];
    const charset = request.headers['content-type']?.split(';')[1];
    const isStated = charset !== undefined && type.includes(charset.trim());
    if (charset !== undefined && !isStated && !sent.startsWith('multipart/'))
      return [`sends the type with${charset}`];
    const schema = this.specification.resolve<Schema>(media.schema).value;
    if (/json/.test(sent))
      return this.check(`${at}/content/${escape(type)}/schema`, JSON.parse(bytes.toString()), 'body');
    if (sent === 'application/x-www-form-urlencoded')
      return this.check(
        `${at}/content/${escape(type)}/schema`,
        formValue(this.specification, media, schema, bytes.toString()),
        'body',
      );
    return [];
  }

  private check(pointer: string, value: unknown, name: string): string[] {
    try {
      const validate = this.ajv.compile({ $ref: `spec${pointer}` });
      if (validate(value)) return [];
      // What only the API writes is required of the API alone.
      const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'discriminator');
      return errors
        .slice(0, 2)
        .map(
          ({ instancePath, message }) =>
            `${name}${instancePath} ${message}: ${JSON.stringify(value)?.slice(0, 120)}`,
        );
    } catch (error) {
      return /can't resolve|no schema/.test((error as Error).message)
        ? []
        : [`${name}: ${(error as Error).message}`];
    }
  }
}

const safeDecode = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const escape = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/** An empty answer of the right form: what is checked here are requests. */
function exampleAnswer(specification: Specification, { responses = {} }: ApiOperation): string {
  const code = Object.keys(responses).find((each) => /^2/.test(each)) ?? 'default';
  const content =
    specification.resolve<{ content?: Record<string, MediaType> }>(responses[code]).value.content ?? {};
  const media = Object.entries(content).find(([type]) => /json|\*/.test(type))?.[1];
  const types = typesIn(specification, specification.resolve<Schema>(media?.schema).value);
  if (types.includes('array')) return '[]';
  if (types.includes('string')) return '""';
  if (types.includes('boolean')) return 'true';
  return types.includes('integer') || types.includes('number') ? '1' : '{}';
}
