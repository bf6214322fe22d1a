/**
 * What people call the subject of a page who come from other frameworks. The search reads it beside the page, which says these
 * words rarely or not at all. This is the only list of such words.
 */
export const alsoCalled: Record<string, string> = {
  'getting-started':
    'start begin install installation setup quickstart hello world first server example requirements',
  tutorial: 'walkthrough course step by step complete example build an app',
  'core-in-20-names': 'cheat sheet overview api summary basics essentials',
  guides: 'index table of contents where to begin',
  scaffolding:
    'create new project template starter boilerplate generator npm create init add to an existing app cli wizard',
  gallery: 'examples samples demos showcase ideas',
  desk: 'full example application reference app demo',
  decorators:
    'decorator list annotations hints readOnlyHint destructiveHint idempotentHint tool name title rename legacy experimentalDecorators stage 3 tc39 standard decorators metadata reflect-metadata',
  schemas:
    'validation validate optional parameter nullable default value enum literal union discriminated union oneOf nested object array DTO class-validator class-transformer ValidateNested Expose Exclude zod v4 valibot arktype typebox pydantic json schema input schema inputSchema output schema outputSchema structuredContent structured output return type generics interface recursive self-referencing type date bigint large number pattern regex minimum maximum length format email whitelist strip unknown additional properties serialization serialize response JSDoc description of a parameter sensitive secret password return image audio binary base64 resource link content blocks several contents coerce',
  context:
    'ctx request context current user caller identity headers metadata ask the user a question elicitation elicit form url mode sampling createMessage call the llm roots workspace folders report progress progressToken notifications cancel abort signal AbortSignal timeout log level send log message notifications/message logging AsyncLocalStorage cls stream partial results',
  'resources-and-prompts':
    'resource resources templates uri template uri parameters binary file blob mime type list of resources subscribe subscription updated notification prompt prompts messages roles arguments autocomplete completion suggestions dependent per user',
  'dependency-injection':
    'inject injection service provider providers useFactory useValue useClass async factory constructor container ioc tsyringe inversify circular dependency forwardRef request scope request-scoped transient singleton lifetime lifecycle hooks onModuleInit onModuleDestroy init destroy dispose configuration config environment variables settings state between calls module',
  views:
    'UI user interface widget component react preact svelte vue html page interactive chart table form result',
  'mcp-apps':
    'mcp apps ui resource iframe sandbox csp content security policy connect domains postMessage widget openai apps sdk ext-apps mcp-ui',
  'views-in-hosts':
    'chatgpt claude widget does not render blank iframe not showing openai outputTemplate window.openai display mode host compatibility theme',
  tasks:
    'long running operation background job async job takes minutes request timed out -32001 timeout 60 seconds polling poll status queue worker cancel retry progress of a job',
  openapi:
    'swagger REST API import an API generate tools from a specification codegen GraphQL Postman endpoints wrap existing http api pagination retry backoff upstream',
  tables:
    'postgres postgresql sql database tables rows query select insert update delete crud supabase neon prisma drizzle orm generate tools from a database schema introspection row level security rls multi-tenant read only views foreign keys codegen',
  mounts:
    'gateway proxy aggregate aggregator combine compose merge several servers into one upstream federation multiplex mcpServers MCP of others remote server client namespace prefix tools',
  search:
    'too many tools tool search large catalogue context window token usage token budget defer loading progressive disclosure toolSearch pagination paginate cursor nextCursor page size tools/list long list find tools',
  replay:
    'vcr cassette golden snapshot traffic recording regression compare two builds before a deployment mcp-vcr mcp-rec polly nock',
  skills: 'Agent Skills SKILL.md instructions for the model workflow playbook knowledge',
  'changing-a-running-server':
    'dynamic tools register tool at runtime add remove enable disable unregister tools at run time addTool removeTool list_changed listChanged notification hot plug reload tools from a database plugin',
  'http-and-stdio':
    'transport streamable http SSE server-sent events deprecated legacy stdio stdin stdout console.log breaks json-rpc unexpected token not valid json parse error stderr logging stateless stateful session port host listen unix domain socket http2 healthz readyz both transports protocol version',
  'mounting-in-express':
    'express router middleware app.use express.json body parser body already read stream not readable raw body cors helmet passport session cookie sub path prefix koa restify existing rest api',
  fastify:
    'fastify plugin register encapsulation hooks preHandler onRequest decorateRequest request.user jwt',
  nestjs:
    'nest module forRoot forRootAsync guards interceptors pipes exception filters global prefix versioning controllers request scope providers useGuards mongoose typeorm swagger graphql',
  fetch:
    'Cloudflare Workers durable objects Vercel Next.js route handler app router edge serverless Hono SvelteKit Remix Nuxt Bun Deno netlify request response web standard',
  hosts:
    'connect Claude Desktop Claude Code claude mcp add Cursor VS Code copilot Windsurf Codex Gemini Zed ChatGPT connector mcpServers json config settings of clients client does not show tools server not found in list tool limit',
  publish:
    'docker Dockerfile container image compose mcp registry server.json npm publish mcpb dxt bundle extension release distribute desktop extension one click install smithery glama',
  transports: 'custom transport websocket ws grpc ipc in-memory message queue tcp',
  extending: 'extension plugin package third party hooks custom decorator custom option library authors',
  security:
    'CORS expose headers Origin 403 forbidden invalid origin Host DNS rebinding allowedHosts prompt injection threats owasp hardening best practices limits body size payload too large 413 memory leak unbounded sessions denial of service',
  'threat-model': 'attack attacker risks STRIDE trust boundary prompt injection tool poisoning',
  authorization:
    'authentication authenticate auth oauth login sign in log in users OAuth 2.1 JWT access token bearer basic auth username password custom auth scopes roles permissions rbac guard per tool authorization hide tools show tools only to admins filter tools by user public anonymous tools without login 401 403 protected resource metadata jwks dpop mtls introspection user identity',
  issuers:
    'Keycloak Auth0 Okta Entra ID Azure AD Cognito Google WorkOS Clerk Supabase Zitadel Authentik Ory identity provider idp oidc audience',
  'on-behalf-of':
    'token exchange obo downstream api pass forward token passthrough user access token third party api refresh token github google slack account connection consent delegated',
  approvals:
    'second person four eyes approve reject reviewer human in the loop sign off manager approval workflow',
  'api-keys':
    'api key x-api-key static token service account machine to machine session cookie revoke rotate key proxy header',
  'authorization-proxy':
    'dynamic client registration not supported DCR CIMD client id metadata entra id azure ad google cognito AADSTS resource parameter oauth proxy broker redirect uri callback consent screen register clients ID-JAG',
  'sign-in-problems':
    'fails cannot connect authentication error login loop 401 unauthorized invalid_token invalid_target invalid_client AADSTS audience redirect_uri mismatch redirect uri does not match well-known metadata 404 doctor troubleshooting inspector',
  tenants:
    'multi-tenant multi tenancy multitenant saas organisation organization workspace customers isolation separate data plans quota per customer tenant id subdomain',
  'middleware-and-policies':
    'rate limit rate limiting throttle throttling 429 timeout per tool concurrency limit concurrent calls semaphore confirm before deleting confirmation ask before an action human in the loop cache caching memoize ttl result size limit truncate large results paginate results circuit breaker interceptor hook before after every call global error handler exception mapping custom error message isError throw error to the model logging middleware',
  'external-decisions': 'OPA open policy agent rego Cedar OpenFGA Casbin policy engine pdp authzen abac',
  'safe-helpers':
    'path traversal directory traversal sandbox SSRF private ip fetch url shell injection run a command exec spawn child process read files safely',
  audit:
    'who called which tool record of all calls history log of calls compliance soc2 tamper evident siem redact mask',
  'personal-data': 'GDPR privacy right to be forgotten delete erase export user data retention pii',
  cli: 'hot reload watch mode restart on change nodemon command line terminal commands flags call a tool from the terminal debug list tools inspector alternative client for a remote server',
  console:
    'debug debugger inspector devtools dashboard browser ui traffic messages see requests try a tool playground',
  chat: 'playground llm openai ollama vllm llama.cpp azure mistral gemini test with a model ask the model talk to my server agent loop',
  manifests:
    'mcp.manifest.json build output generated file monorepo workspaces packages shared tools library stale',
  toolchains:
    'swc esbuild tsup rollup webpack vite rolldown bundle single file executable tsx ts-node Vitest Jest ts-jest transform babel emitDecoratorMetadata ESM CommonJS module tsconfig typescript version nx turborepo',
  testing:
    'unit test integration test mock stub fake dependency override provider in-memory client jest vitest e2e without starting a server fake timers coverage',
  evaluate:
    'evals evaluation llm model picks the right tool tool selection accuracy benchmark prompts regression',
  lint: 'tool description best practices naming quality writing descriptions for llm warnings rules token cost of a description',
  'contract-lock': 'breaking change detection snapshot of tools schema diff ci compatibility rug pull',
  'tool-versions':
    'deprecate deprecated tool old version of a tool v1 and v2 replace a tool sunset migrate callers backwards compatible',
  windows: 'npx ENOENT spawn npm cmd powershell path backslash wsl',
  'more-than-one-core': 'cluster worker threads cpu cores multi core processes single machine scale up',
  fleet:
    'horizontal scaling several instances replicas pods load balancer sticky session session affinity session not found 404 multiple servers stateless deployment rolling update zero downtime high availability',
  stores: 'Redis Valkey session store several processes shared limits store of your own external storage',
  postgres: 'PostgreSQL database pg pool pgbouncer listen notify session store',
  'durable-tasks':
    'resume after crash survive restart queue worker retry failed jobs exactly once at least once idempotent steps workflow temporal bullmq persistent',
  schedules: 'cron job every night timer interval periodic recurring run once with several instances',
  telemetry:
    'tracing OpenTelemetry otel spans traceparent trace context propagation metrics observability datadog grafana jaeger dashboards alerts apm',
  usage:
    'analytics statistics how often is a tool called most used tools which client calls cost billing metering',
  reliability:
    'graceful shutdown SIGTERM SIGINT stop drain in-flight requests finish running calls exit overload backpressure memory leak of sessions idle sessions cleanup timeouts idempotency duplicate calls crash',
  'unhandled-failures':
    'unhandledRejection uncaughtException unhandled promise rejection process crash exits',
  performance:
    'slow fast benchmark latency throughput requests per second memory usage cold start startup time event loop profiling overhead',
  upgrading:
    'upgrade to a new release, upgrade to a new version, what changed in the new release, breaking changes',
  versions: 'supported node version compatibility matrix sdk version protocol revision semver',
  'coming-from-the-sdk':
    'migrate from @modelcontextprotocol/sdk McpServer registerTool official sdk v1 v2 compare',
  'coming-from-fastmcp': 'migrate from fastmcp python punkpeye prefect compare',
  'coming-from-mcp-nest': 'migrate from rekog mcp-nest compare',
  'coming-from-xmcp': 'migrate from xmcp compare',
  'recipes/back-to-the-sdk': 'remove toolwright leave lock-in eject exit strategy',
  'recipes/databases':
    'Prisma TypeORM Drizzle MikroORM Sequelize Knex Mongoose ORM repository inject a database sql connection pool transaction database',
  'recipes/uploads':
    'upload a file download link large file base64 too large multipart attachment presigned url s3 export csv pdf',
  'recipes/contract-in-pull-requests':
    'github actions workflow breaking changes report comment pull request ci',
  'recipes/metrics': 'prometheus endpoint /metrics scrape grafana otlp exporter',
  'recipes/pino':
    'logger winston bunyan log4js structured json logs custom logger log every call request id correlation id',
  'recipes/pm2': 'process manager pm2 ecosystem forever systemd',
  'recipes/behind-a-proxy':
    'nginx traefik caddy haproxy reverse proxy ingress buffering x-forwarded-for x-forwarded-proto trust proxy client ip sub path prefix tls https idle timeout keep-alive heartbeat',
  'recipes/kubernetes':
    'k8s helm liveness readiness probe health check pods deployment hpa preStop terminationGracePeriodSeconds',
  'recipes/lambda': 'aws lambda serverless api gateway function url streaming response cold start sam cdk',
  'runbook/redis-full-or-read-only': 'Redis is full, out of memory, READONLY',
};
