/** What each file of a project with mistakes begins with. */
export const imports = `import { createMcpServer, Inject, McpResource, McpResourceTemplate, McpService, McpTool, RateLimit, RequireScopes, Sensitive } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
void [createMcpServer, Inject, McpResource, McpResourceTemplate, McpService, RateLimit, RequireScopes, Sensitive, serveHttp];
`;

interface Service {
  /** What the constructor takes. */
  needs?: string;
  annotations?: string;
  comment?: string;
  /** Decorators below @McpTool. */
  more?: string;
  parameter?: string;
}

/** A class with one tool, which has the name of the class in small letters. */
function service(name: string, { needs = '', ...tool }: Service = {}): string {
  const { annotations = '{ readOnlyHint: true }', comment = '/** Say hello. Returns it. */' } = tool;
  return `
@McpService()
export class ${name} {
  constructor(${needs}) {}
  ${comment}
  @McpTool({ name: '${name.toLowerCase()}', annotations: ${annotations} })
  ${tool.more ?? ''}
  greet(${tool.parameter ?? '/** @maxLength 9 */ text: string'}): string { return String(text); }
}
`;
}

const made = (services: string, more = '') =>
  `const server = await createMcpServer({ name: 'first', version: '1', services: [${services}]${more} });\n`;
const served = (options: string) =>
  `const { port, close } = await serveHttp(server, ${options});\nawait close();\nvoid port;\n`;

/** Programs that compile, and do not do what their author wants when they start. */
export const programsThatStart: Record<string, string> = {
  option: `${service('GetOption')}${made('GetOption', ', ...({ timeuot: 5 } as object)')}`,
  plain: `class Plain { greet() {} }\n${made('Plain')}`,
  prot: `${service('GetProt')}${made('GetProt')}${served('{ port: 0, prot: 3000 } as never')}`,
  interface: `${service('GetClock', { needs: 'readonly clock: { now(): number }' })}${made('GetClock')}`,
  provider: `abstract class Clock { abstract now(): number }\n${service('GetTime', { needs: 'readonly clock: Clock' })}${made('GetTime')}`,
  unprovided: `class Db { rows(): string[] { return []; } }\n${service('GetRows', { needs: 'readonly db: Db' })}${made('GetRows')}`,
  nowhere: `@McpService()
export class Nowhere {
  /** Read an item. */
  @McpResource({} as never)
  nowhere(): string { return ''; }
}
${made('Nowhere')}`,
  scoped: `${service('GetScoped', { more: "@RequireScopes('hello:read')" })}${made('GetScoped')}${served('{ port: 0 }')}`,
  silent: `${service('GetSilent', { comment: '' })}${made('GetSilent')}`,
  taken: `${service('GetTaken')}${made('GetTaken')}
const { port } = await serveHttp(server, { port: 0, signals: false });
process.once('uncaughtExceptionMonitor', () => void server.close(0));
await serveHttp(server, { port, signals: false });
`,
  stale: `${service('GetStale')}${made('GetStale')}`,
  address: `${service('GetAddress', { needs: 'readonly url: string' })}${made('GetAddress')}`,
  shorter: `@McpService({ scope: 'request' })\nexport class Caller { @McpTool() who(): string { return ''; } }\n${service('GetShorter', { needs: 'readonly caller: Caller' })}${made('GetShorter')}`,
  missing: `${service('GetMissing')}const tools: Record<string, never> = {};\n${made("GetMissing, tools['Pages']!")}`,
  object: `${service('GetObject')}${made('new GetObject() as never')}`,
  secret: `export class SignIn {
  @McpTool() signIn(user: string, password: string, key: { apiKey: string; pageToken?: string; maxTokens?: number }): string {
    return user + password + key.apiKey;
  }
  @McpTool() safe(@Sensitive() token: string): string { return token; }
}\n${made('SignIn')}`,
  promised: `${service('GetPromised')}${made('GetPromised').replace('await ', '')}${served('{ port: 0 }').replace('(server,', '(server as never,')}`,
  globbed: `${service('GetGlobbed')}${made('GetGlobbed').replace('[GetGlobbed]', "['./tools/*.js' as never]")}`,
  unset: `${service('GetUnset')}${made('GetUnset')}${served("{ port: Number(process.env['NO_SUCH_PORT']) }")}`,
  slashless: `${service('GetSlashless')}${made('GetSlashless')}${served("{ port: 0, path: 'mcp' }")}`,
  schemed: `${service('GetSchemed')}${made('GetSchemed')}${served("{ port: 0, allowedHosts: ['https://mcp.example.com/'] }")}`,
  schemeless: `${service('GetSchemeless')}${made('GetSchemeless')}${served("{ port: 0, allowedOrigins: ['app.example.com'] }")}`,
  returnless: `abstract class Store { abstract get(): string }\n${service('GetReturnless', { needs: 'readonly store: Store' })}${made('GetReturnless', ', providers: [{ provide: Store, useFactory: () => { String(); } } as never]')}`,
  refused: `import { connect } from 'node:net';
abstract class Database { abstract get(): string }
${service('GetRefused', { needs: 'readonly database: Database' })}${made('GetRefused', ", providers: [{ provide: Database, useFactory: () => new Promise<never>((_, reject) => connect(1, '127.0.0.1').once('error', reject)) }]")}`,
  bare: `export class GetBare { @(McpTool as never as MethodDecorator) bare(): string { return ''; } }\n${made('GetBare')}`,
  transient: `@McpService({ scope: 'transient' as never })\nexport class GetTransient { @McpTool() transient(): string { return ''; } }\n${made('GetTransient')}`,
  astray: `${service('GetAstray')}${made('GetAstray')}
const { url, close } = await serveHttp(server, { port: 0, signals: false });
console.log(await (await fetch(new URL('/', url), { method: 'POST' })).text());
await close();
`,
  printing: `import { serveStdio } from '@toolwright/stdio';
${service('GetPrinting')}console.log('Starting.');
${made('GetPrinting')}await serveStdio(server);
`,
  alone: `export class GetAlone { @McpResource('config://app' as never) alone(): string { return ''; } }\n${made('GetAlone')}`,
  listed: `${service('GetListed')}${made('GetListed')}${served('3000 as never')}`,
  awaited: `${service('GetAwaited')}${made("import('node:fs') as never")}`,
  unsetValue: `${service('GetUnsetValue', { needs: "@Inject('url') readonly url: string" })}${made('GetUnsetValue', ", providers: [{ provide: 'url', useValue: process.env['NO_SUCH_URL'] }]")}`,
  everywhere: `${service('GetEverywhere')}${made('GetEverywhere')}${served("{ port: 0, host: '0.0.0.0' }")}`,
  unconnected: `import { connect } from '@toolwright/testing';
${service('GetUnconnected')}${made('GetUnconnected').replace('await ', '')}await connect(server as never);
`,
  guarded: `${service('GetGuarded')}${made('GetGuarded')}
const { url, close } = await serveHttp(server, { port: 0, signals: false, principal: (() => true) as never });
const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
await fetch(url, { method: 'POST', headers, body: '{ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }' });
await close();
`,
  unfitting: `import { connect } from '@toolwright/testing';
export class GetUnfitting { @McpTool() unfitting(): { rows: string[] } { return undefined as never; } }
${made('GetUnfitting')}const client = await connect(server);
await client.call('unfitting', {});
await server.close();
`,
  shape: `const part = { '~standard': { version: 1, vendor: 'zod', validate: (value: unknown) => ({ value }) } };
export class GetShape { @McpTool({ inputSchema: { text: part } } as never) shape(args: { text: string }): string { return args.text; } }\n${made('GetShape')}`,
  titled: `export class GetTitled { @McpTool('say_hello' as never) titled(): string { return ''; } }\n${made('GetTitled')}`,
  single: `${service('GetSingle')}${made('GetSingle').replace('[GetSingle]', 'GetSingle as never')}`,
  toolList: `${service('GetToolList')}${made('GetToolList').replace('services: [GetToolList]', '...({ tools: [GetToolList] } as object)')}`,
  mounted: `import { mcpExpress } from '@toolwright/express';
${service('GetMounted')}${made('GetMounted').replace('await ', '')}mcpExpress(server as never);\n`,
  handled: `import { mcpHttp } from '@toolwright/http';
${service('GetHandled')}${made('GetHandled').replace('await ', '')}mcpHttp(server as never);\n`,
  fetched: `import { mcpFetch } from '@toolwright/http';
${service('GetFetched')}${made('GetFetched').replace('await ', '')}mcpFetch(server as never);\n`,
  found: `${made('').replace('services: []', "discover: './src/**/*.ts'")}`,
  numbered: `${service('GetNumbered')}${made('GetNumbered').replace("'1'", '1 as never')}`,
  base: `export abstract class GetBase { @McpTool() base(): string { return ''; } }\n${made('GetBase as never')}`,
};

/** One file with everything: its class is looked at, and it serves. */
export const programThatServes = {
  main: `${service('GetBoth', { annotations: '{ readOnlyHint: true, destructiveHint: true }' })}${made('GetBoth')}await serveHttp(server, { port: 0 });\n`,
};

/** Files with mistakes that the build finds. */
export const filesThatFail: Record<string, string> = {
  unbuilt: `${service('GetUnbuilt')}${made('GetUnbuilt')}`,
  request: `import type { Request } from 'express';\nexport class TakeRequest { @McpTool() take(req: Request): string { return req.path; } }`,
  blank: "export class GetWeather { @McpTool({ name: 'get weather' }) weather(): string { return ''; } }",
  schemelessUri:
    "export class Settings { @McpResource({ uri: 'settings' }) settings(): string { return ''; } }",
  callback: service('CallBack', { parameter: 'text: () => void' }),
  annotation: service('GetHint', { annotations: '{ destructive: true } as never' }),
  template: `
@McpService()
export class Pages {
  /** Read a page. */
  @McpResourceTemplate({ uriTemplate: 'pages://{id}' })
  page(pageId: string): string { return pageId; }
}
`,
  asResource: `
@McpService()
export class Items {
  /** Read an item. */
  @McpResource({ uri: 'items://{id}' })
  item(id: string): string { return id; }
}
`,
  period: service('GetPeriod', { more: "@RateLimit({ points: 5, per: 'minute' as never })" }),
  twice: `${service('GetTwice')}${service('Getting').replace("'getting'", "'gettwice'")}`,
  tag: service('GetTag', { parameter: '/** @maxLenght 9 */ text: string' }),
  circle: `import { Other } from './other.js';\n${service('GetCircle', { needs: 'readonly other: Other' })}`,
  other:
    "import { GetCircle } from './circle.js';\nexport class Other { constructor(readonly circle: GetCircle) {} }",
  unserved: service('GetNothing'),
  invoke: '@McpTool()\nexport class SearchPages { run(query: string): string { return query; } }\n',
  arrow: '@McpTool()\nexport class FindPages { invoke = (query: string): string => query; }\n',
  accessor: 'export class Greeting { @McpTool() get hello(): string { return ""; } }\n',
  unoffered: `export class Accounts {
  @McpTool() private close(id: string): string { return id; }
}
`,
  hidden: `class Money { amount!: number; text(): string { return String(this.amount); } }
export class Price { money!: Money; }
export class GetPrice { @McpTool() price(of: Price): string { return of.money.text(); } }
export class GetPrices { @McpTool() prices(all: Price[]): string { return String(all.length); } }
`,
  parameter:
    "export class Note { @McpResource({ uri: 'notes://note' }) note(id: string): string { return id; } }\n",
  scopeless: `export class Open {
  @McpTool()
  // @ts-expect-error A scope is missing.
  @RequireScopes()
  open(): string { return ''; }
}
`,
  extra: `export class Wait {
  @McpTool() wait(seconds: number, extra: { signal: AbortSignal }): string { return String([seconds, extra.signal]); }
}
`,
  field: `export class Ring {
  // @ts-expect-error A property is no parameter.
  @Inject('clock') private readonly clock!: Date;
  @McpTool() ring(): string { return this.clock.toISOString(); }
}
`,
  parameters: `export class GetParameters {
  @McpTool({ name: 'parameters', parameters: {} } as never) run(text: string): string { return text; }
}
`,
  scopeList: `export class GetScopeList {
  @McpTool() @RequireScopes(['notes:read', 'notes:write'] as never) list(): string { return ''; }
}
`,
  points: 'export class GetPoints { @McpTool() @RateLimit(100 as never) points(): string { return ""; } }\n',
  marked:
    "export class Login { @McpTool() @Sensitive('pasword') login(password: string): string { return password; } }\n",
};

/** With `emitDecoratorMetadata`, these modules end before the server starts. The last class names only itself. */
export const filesInWrongOrder: Record<string, string> = {
  below: `export class GetBelow { @McpTool() below(note: Note): string { return note.text; } }
export class Note { text!: string; }
`,
  nested: `export class Order { @Sensitive() item!: Item; }
export class Item { name!: string; }
export class GetOrder { @McpTool() order(order: Order): string { return order.item.name; } }
`,
  itself: `export class Page {
  @McpTool() link(page: Page, later: Later[]): string { return String([page, later]); }
}
export class Later { title!: string; }
`,
};
