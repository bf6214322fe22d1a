import { createHash } from 'node:crypto';

/**
 * What users of other frameworks ask, as a short query. The subjects are those of public threads, mostly titles of issues and
 * of questions: the official SDKs, FastMCP (Python and TypeScript), MCP-Nest, Spring AI, mcp-use, NestJS, Fastify, Express,
 * tsoa, class-validator, Zod, BullMQ, and servers and hosts of MCP. The words are those of the askers, not of our guides.
 *
 * Each question has the pages that answer it. Half of the list is closed: nobody looks at its answers while the search is
 * tuned, so it says what the search is worth for questions that nobody has thought of. A question is never moved or
 * rewritten because of its answer.
 */
const asked: Record<string, string> = {
  // Toolchains and first steps
  'spawn npx ENOENT windows': 'windows hosts',
  'vitest decorators esbuild not working': 'toolchains',
  'emitDecoratorMetadata with swc': 'toolchains decorators',
  'constructor dependency undefined with esbuild': 'toolchains dependency-injection',
  'restart on file change': 'cli',
  'share tools between packages in a monorepo': 'manifests',
  'how to debug an mcp server': 'console cli',
  'scaffold a new project': 'scaffolding getting-started',
  'add mcp to an existing express api': 'mounting-in-express scaffolding',
  'publish to the mcp registry': 'publish',
  'dockerfile for a server': 'publish',
  'bundle everything into one file': 'toolchains',
  'jest transform typescript decorators': 'toolchains',
  'stage 3 decorators': 'decorators toolchains',
  // Schemas and results
  'optional nested object validation': 'schemas',
  'union types in parameters': 'schemas',
  'discriminated union as input schema': 'schemas',
  'default values not applied': 'schemas',
  'date parameter': 'schemas',
  'bigint serialization': 'schemas',
  'validate array of objects': 'schemas',
  'generics in the return type': 'schemas',
  'output schema structuredContent': 'schemas',
  'parameter description from jsdoc': 'schemas decorators lint',
  'strip unknown properties whitelist': 'schemas',
  'exclude fields from the response': 'schemas',
  'zod v4 support': 'schemas',
  'regex pattern and max length': 'schemas',
  'return an image from a tool': 'schemas',
  'return several content blocks': 'schemas',
  'recursive type in schema': 'schemas',
  'mask passwords in logs': 'schemas audit',
  'streaming response from a tool': 'context decorators schemas',
  'paginate tool results': 'middleware-and-policies lint',
  'pagination tools/list nextCursor': 'search',
  // The call
  'get http request headers in a tool': 'context authorization middleware-and-policies',
  'current user in tool handler': 'context authorization',
  'request timed out -32001': 'tasks context',
  'tool call takes longer than 60 seconds': 'tasks',
  'progress notifications to avoid timeout': 'context tasks',
  'elicitation not supported by client': 'context',
  'human in the loop for destructive tools': 'middleware-and-policies approvals',
  'sampling createMessage from server': 'context',
  'abort signal when client cancels': 'context',
  'send log messages to the client': 'context',
  'list roots of the client': 'context',
  'async local storage request context': 'context middleware-and-policies',
  'url mode elicitation': 'context',
  'tool annotations readOnlyHint': 'decorators',
  // Resources and prompts
  'resource template with uri parameters': 'resources-and-prompts',
  'notify clients that a resource was updated': 'resources-and-prompts changing-a-running-server',
  'argument completion for prompts': 'resources-and-prompts',
  'binary file as a resource': 'resources-and-prompts',
  'upload large files': 'recipes/uploads',
  'download link for a generated file': 'recipes/uploads',
  'base64 content too large': 'recipes/uploads',
  // Change at run time
  'register tools dynamically at runtime': 'changing-a-running-server',
  'tools/list_changed notification': 'changing-a-running-server',
  'enable or disable a tool at runtime': 'changing-a-running-server',
  // Dependency injection
  'circular dependency between services': 'dependency-injection',
  'request scoped provider': 'dependency-injection',
  'inject config': 'dependency-injection',
  'async factory provider': 'dependency-injection',
  'connect to the database on startup': 'recipes/databases dependency-injection',
  'close connections on destroy hook': 'dependency-injection',
  'prisma client': 'recipes/databases',
  'typeorm repository': 'recipes/databases nestjs',
  'mock a service in tests': 'testing',
  // Transports and frameworks
  'stdout pollution breaks json-rpc': 'http-and-stdio',
  'unexpected token is not valid json console.log': 'http-and-stdio',
  'sse transport deprecated': 'http-and-stdio',
  'streamable http stateless mode': 'http-and-stdio fleet',
  'websocket transport': 'transports',
  'stdio and http in the same server': 'http-and-stdio',
  'unix domain socket': 'http-and-stdio',
  'cloudflare durable objects': 'fetch',
  'next.js route handler on vercel': 'fetch',
  'run with bun': 'fetch',
  'lambda streaming response': 'recipes/lambda',
  'body parser stream already consumed': 'mounting-in-express',
  'payload too large 413': 'security mounting-in-express nestjs http-and-stdio',
  'fastify preHandler hook for auth': 'fastify',
  'request.user in fastify': 'fastify',
  'nest guards on tools': 'nestjs',
  'exception filters and interceptors': 'nestjs',
  'nginx buffers sse': 'recipes/behind-a-proxy',
  'x-forwarded-for client ip': 'recipes/behind-a-proxy http-and-stdio',
  'cors expose mcp-session-id': 'security mounting-in-express',
  '403 invalid origin': 'security mounting-in-express http-and-stdio',
  'dns rebinding protection allowed hosts': 'security mounting-in-express http-and-stdio',
  // Who may do what
  'add authentication to my server': 'authorization',
  'api key in header': 'api-keys',
  'username and password auth': 'authorization api-keys',
  'per tool permissions': 'authorization',
  'hide tools the user is not allowed to call': 'authorization',
  'different tool list for each user': 'authorization tenants',
  keycloak: 'issuers',
  'auth0 audience': 'issuers sign-in-problems',
  'entra resource parameter is not supported': 'authorization-proxy issuers sign-in-problems',
  'dynamic client registration not supported': 'authorization-proxy',
  'redirect uri does not match': 'sign-in-problems authorization-proxy',
  'token exchange on behalf of user': 'on-behalf-of',
  'forward the user token to a downstream api': 'on-behalf-of',
  'refresh token of a third party api': 'on-behalf-of',
  'multi tenancy': 'tenants',
  'quota per customer': 'tenants',
  'oauth 401 loop': 'sign-in-problems runbook/many-401',
  'well-known protected resource metadata 404': 'sign-in-problems recipes/behind-a-proxy authorization',
  'open policy agent': 'external-decisions',
  'public tools without login': 'authorization',
  'revoke an api key': 'api-keys',
  'two person approval': 'approvals',
  // Policies and safety
  'rate limiting per user': 'middleware-and-policies',
  'cache tool results': 'middleware-and-policies',
  'limit concurrent calls': 'middleware-and-policies',
  'timeout per tool': 'middleware-and-policies',
  'global error handler': 'middleware-and-policies',
  'throw an error the model can read': 'middleware-and-policies errors',
  'log every tool call': 'middleware-and-policies telemetry audit recipes/pino',
  'ssrf protection': 'safe-helpers',
  'run shell commands safely': 'safe-helpers',
  'prompt injection through tool results': 'security threat-model',
  // Operation
  'graceful shutdown': 'reliability mounting-in-express',
  'sigterm drops in-flight requests': 'reliability',
  'health check endpoint': 'recipes/kubernetes http-and-stdio fleet',
  'session not found with multiple pods': 'fleet',
  'sticky sessions load balancer': 'fleet',
  'redis session store': 'stores fleet',
  'memory leak of sessions': 'reliability security',
  'cluster mode cpu cores': 'more-than-one-core',
  'opentelemetry spans for tool calls': 'telemetry',
  'traceparent propagation': 'telemetry',
  'winston logger': 'recipes/pino',
  'unhandled promise rejection crashes the server': 'unhandled-failures',
  'gdpr delete user data': 'personal-data',
  'cron runs twice with several instances': 'schedules',
  'background jobs': 'tasks durable-tasks',
  'retry failed jobs': 'durable-tasks tasks',
  'requests per second benchmark': 'performance',
  'cold start': 'performance recipes/lambda',
  'detect breaking changes in ci': 'contract-lock',
  // Around a server
  'generate tools from swagger': 'openapi',
  'generate crud tools from a postgres schema': 'tables',
  'row level security': 'tables',
  'too many tools in the context window': 'search',
  'combine several mcp servers behind one': 'mounts',
  'widget not rendering in chatgpt': 'views-in-hosts mcp-apps',
  'content security policy of the iframe': 'mcp-apps views-in-hosts views',
  'react component for a tool result': 'views',
  'claude code add server': 'hosts',
  'unit test without starting a server': 'testing',
  'deprecate a tool': 'tool-versions',
};

/** The order of their digests with a fixed word is a shuffle that nobody has chosen. */
const order = (question: string) => createHash('sha256').update(`closed half: ${question}`).digest('hex');

const shuffled = Object.entries(asked)
  .map(([question, pages]) => ({ question, pages: pages.split(' ') }))
  .sort((one, other) => (order(one.question) < order(other.question) ? -1 : 1));

const half = shuffled.length / 2;

/** The half that the search may be tuned with. */
export const openHalf = shuffled.slice(0, half);

/** The half that is only counted. */
export const closedHalf = shuffled.slice(half);
