/** The packages, and which of the others each may import. Tests and apps may import all. */
const packages = {
  json: [],
  hosts: [],
  'create-toolwright': ['json'],
  manifest: ['json'],
  ground: ['json', 'manifest'],
  wire: ['ground', 'json'],
  core: ['ground', 'json', 'manifest', 'wire'],
  'schema-compiler': ['json', 'manifest'],
  codemod: ['schema-compiler'],
  http: ['core', 'hosts', 'json'],
  express: ['core', 'http'],
  fastify: ['core', 'http'],
  nest: ['core', 'http'],
  stdio: ['core'],
  audit: ['core', 'json'],
  chat: ['core', 'json'],
  redis: ['core', 'json'],
  safe: ['core', 'json'],
  identity: ['core', 'json'],
  openapi: ['core', 'json'],
  mount: ['core', 'json'],
  queue: ['core', 'json'],
  schedules: ['core', 'json', 'manifest'],
  search: ['core', 'json'],
  code: ['core', 'json', 'search'],
  skills: ['core', 'json'],
  postgres: ['core', 'json', 'audit'],
  tables: ['core', 'json', 'postgres'],
  tasks: ['core', 'json', 'postgres', 'queue'],
  client: ['core', 'manifest'],
  replay: ['core', 'json', 'client'],
  views: ['json'],
  operate: ['core', 'json', 'manifest', 'audit', 'http'],
  testing: ['core', 'json', 'manifest', 'queue', 'schema-compiler', 'client'],
  console: ['core', 'json', 'manifest', 'audit', 'client', 'http', 'hosts', 'views'],
  cli: [
    'core',
    'json',
    'manifest',
    'schema-compiler',
    'codemod',
    'audit',
    'client',
    'console',
    'create-toolwright',
    'hosts',
    'http',
    'operate',
    'search',
    'stdio',
  ],
  toolwright: ['cli'],
};

/** Libraries with a price (start-up time, memory) and the packages that have decided to pay it. */
const costly = {
  typescript: [],
  'typescript-json-schema': ['schema-compiler'],
  express: ['express'],
  fastify: ['fastify'],
  commander: ['cli', 'operate'],
  redis: ['redis'],
  pg: ['postgres'],
  'pg-boss': ['tasks'],
  'oidc-provider': ['identity'],
  'openid-client': ['identity'],
  '@apidevtools/json-schema-ref-parser': ['openapi'],
  swagger2openapi: ['openapi'],
  '@modelcontextprotocol/client': ['mount'],
  'quickjs-emscripten-core': ['code'],
};

const served = ['requests', 'sessions', 'tasks'];

/** The rooms of packages/core/src, from the ground up, and the rooms below that each may import. */
const rooms = {
  container: [],
  decorators: ['container'],
  policies: ['decorators'],
  requests: [],
  sessions: ['requests'],
  tasks: ['requests'],
  observe: ['policies', ...served],
  protocol: [...served, 'observe'],
  boot: ['container', 'decorators', 'policies', ...served, 'observe', 'protocol'],
};

/**
 * The rooms inside some rooms of ground and core, from the ground up, and the rooms beside them that each may import. What stands
 * directly in the folder may import all of them, and none of them imports it.
 */
const innerRooms = {
  'ground/call': {
    context: [],
    operation: ['context'],
    limits: ['operation'],
    values: ['context', 'operation'],
    results: ['operation', 'values'],
    security: ['operation', 'limits'],
  },
  'core/boot': {
    manifest: [],
    classes: ['manifest'],
    extensions: ['manifest', 'classes'],
    options: ['manifest', 'classes', 'extensions'],
    services: ['manifest', 'classes', 'extensions', 'options'],
    checks: ['manifest', 'classes', 'options', 'services'],
    kinds: ['manifest', 'classes', 'services', 'checks'],
    registry: ['manifest', 'classes', 'extensions', 'services', 'checks', 'kinds'],
  },
};

/** The rooms of other packages, from the ground up. Each may import those before it. */
const floors = {
  ground: ['base', 'ports', 'call'],
  http: ['endpoint', 'node', 'fetch', 'auth', 'workers', 'transfers'],
  json: 'files processes addresses text pages stores base numbers schema constraints patterns values validation classes serialiser declarations imports'.split(
    ' ',
  ),
  identity: [
    ...'adapters issuers subjects exchange decisions tenants introspection doctor commands keys'.split(' '),
    ...'proofs pages dev grants proxy tokens approval operators'.split(' '),
  ],
  console: ['api', 'inside', 'hub', 'serve'],
  replay: ['record', 'read', 'compare', 'play', 'command'],
  tables: ['run', 'catalogue', 'model', 'write', 'command'],
  cli: [
    ...'changes build contract terminal output completion install remote app explain migrate'.split(' '),
    ...'lint publish published scaffold dev run-file client commands'.split(' '),
  ],
};

/** Files that calculate with the wall clock, because their times come from others, or are for others. */
const dated = [
  // What an issuer has dated, or what we date in its place.
  'packages/cli/src/remote/kept-tokens.ts',
  'packages/identity/src/{exchange/{timed-cache,token-broker},introspection/introspector,proofs/dpop-*}.ts',
  'packages/identity/src/grants/{ask-for-grant,grant-page,grant-records,grant-tokens}.ts',
  'packages/identity/src/keys/{api-key-records,api-keys}.ts',
  // What clients bring back, sealed: links, cursors, cookies, sessions, the state of a question.
  'packages/core/src/policies/output/{continue-output,kept-results,rest-links}.ts',
  'packages/core/src/{requests/rounds,sessions/session-store}.ts',
  'packages/http/src/transfers/transfer-links.ts',
  'packages/identity/src/{pages/sign-in,proxy/consent}.ts',
  // What processes share in a store.
  'packages/ground/src/ports/claim-store.ts',
  'packages/core/src/{policies/cache,sessions/shared-sessions}.ts',
  'packages/queue/src/job-worker.ts',
  'packages/identity/src/{approval/{approval-page,ask-for-approval,delegates-form,delegations},pages/{page-question,question-records}}.ts',
  // Dates of files, of records, of a schedule, and of HTTP.
  'packages/audit/src/commit/retention.ts',
  'packages/console/src/inside/audit/audit-part.ts',
  'packages/schedules/src/scheduler.ts',
  'packages/openapi/src/run/send-request.ts',
  // The clocks themselves, and their contract.
  'packages/ground/src/ports/clock-and-ids.ts',
  'packages/testing/src/contracts/clock-and-ids-contract.ts',
];

const tests = ['**/*.test.ts', '**/*.test-d.ts', '**/test/**', '.ci/**', 'jest.config.ts'];
const either = (names) => `(${names.join('|')})`;
const except = (names, allowed) => names.filter((name) => !allowed.includes(name));

/** These imports break a layer, as values and as types. `allowTypeImports` spares only the types of costly libraries. */
const forbid = (files, patterns) => ({
  files,
  excludeFiles: tests,
  rules: { 'typescript/no-restricted-imports': ['error', { patterns }] },
});

const ownIndex = (name) => ({
  regex: `^(\\.{1,2}/)+index\\.js$|^@toolwright/${name}$`,
  message: 'Import the file itself: a package that imports its own index grows cycles.',
});

const packageRules = (name) => {
  const closed = except(Object.keys(packages), [...packages[name], name]);
  const heavy = Object.keys(costly).filter((library) => !costly[library].includes(name));
  return [
    ownIndex(name),
    {
      regex: `^@toolwright/${either(closed)}(/|$)`,
      message: `packages/${name} may import ${packages[name]}.`,
    },
    {
      regex: `^${either(heavy)}(/|$)`,
      message: 'See "costly" in oxlint.config.mjs.',
      allowTypeImports: true,
    },
    {
      // The regular expressions of the linter have no look-ahead: all names that do not begin with `cl`.
      regex: name === 'mount' ? '^@modelcontextprotocol/([^c]|c[^l])' : '^@modelcontextprotocol/',
      message: 'The official SDK is a referee: tests only. `mount` uses its client.',
    },
  ];
};

const roomRules = (room) => ({
  regex: `^(\\.\\./)+${either(except(Object.keys(rooms), [...rooms[room], room]))}/`,
  message: `core/src/${room} may import: ${rooms[room].join(', ') || 'nothing'}.`,
});

const innerRules = (place, inner) => {
  const beside = innerRooms[place];
  const closed = except(Object.keys(beside), [...beside[inner], inner]);
  const message = `${place}/${inner} may import: ${beside[inner].join(', ') || 'nothing'}.`;
  return [
    { regex: `^\\.\\./${either(closed)}/`, message },
    { regex: '^\\.\\./[^/]+\\.js$', message },
  ];
};

const floorRules = (name, floor) => {
  const at = floors[name].indexOf(floor);
  const above = floors[name].slice(at + 1);
  if (above.length === 0) return [];
  const message = `packages/${name}/src/${floor} may import: ${floors[name].slice(0, at).join(', ')}.`;
  return [{ regex: `^(\\.\\./)+${either(above)}/`, message }];
};

/** Beyond what is wrong for certain ("correctness"). */
const recommended = [
  'no-case-declarations',
  'no-cond-assign',
  'no-empty',
  'no-fallthrough',
  'no-prototype-builtins',
  'no-regex-spaces',
  'no-unexpected-multiline',
  'no-useless-assignment',
  'no-var',
  'prefer-const',
  'prefer-rest-params',
  'prefer-spread',
  'preserve-caught-error',
  'typescript/ban-ts-comment',
  'typescript/no-array-constructor',
  'typescript/no-empty-object-type',
  'typescript/no-explicit-any',
  'typescript/no-namespace',
  'typescript/no-require-imports',
  'typescript/no-unnecessary-type-constraint',
  'typescript/no-unsafe-function-type',
  'typescript/await-thenable',
  'typescript/no-floating-promises',
  'typescript/no-misused-promises',
];

/** What is wrong by the types for some, and usual for us. */
const usual = [
  'unbound-method',
  'no-base-to-string',
  'restrict-template-expressions',
  'no-misused-spread',
  'no-implied-eval',
  'require-array-sort-compare',
  'no-useless-default-assignment',
  'no-meaningless-void-operator',
  'no-redundant-type-constituents',
].map((name) => `typescript/${name}`);

export default {
  plugins: ['eslint', 'typescript', 'import'],
  jsPlugins: ['./.ci/lint/own-rules.mjs'],
  categories: { correctness: 'error' },
  options: { typeAware: true },
  ignorePatterns: [
    '**/dist/',
    '**/coverage/',
    '**/.data/',
    '**/.toolwright/',
    '**/fixtures/',
    '**/templates/',
    'apps/*/src/**/views/',
  ],
  rules: {
    ...Object.fromEntries(recommended.map((name) => [name, 'error'])),
    ...Object.fromEntries(usual.map((name) => [name, 'off'])),
    // Types follow the order of the house, too.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'max-lines': ['error', 400],
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-new-func': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
  },
  overrides: [
    // Tests compile what an author would write.
    { files: tests, rules: { 'no-new-func': 'off' } },
    // Decorated fixtures declare what only a decorator ever reads, and tests pass wrong values on purpose.
    { files: tests, rules: { 'typescript/no-explicit-any': 'off', 'no-unused-vars': 'off' } },
    // Decorators make values of the types of parameters, and the linter takes them for types.
    { files: [...tests, 'apps/**'], rules: { 'typescript/consistent-type-imports': 'off' } },
    { files: ['**/*.mjs', '**/*.cjs', '**/*.js'], rules: { 'typescript/no-require-imports': 'off' } },
    // The oldest Node.js must be able to read them.
    { files: ['packages/*/bin/*.js'], rules: { 'no-var': 'off' } },
    {
      files: ['packages/*/{src,web}/**/*.{ts,tsx}'],
      excludeFiles: tests,
      rules: {
        'own/plain-words': 'error',
        'own/no-cut-characters': 'error',
        'own/no-can-parse': 'error',
      },
    },
    {
      files: ['packages/*/src/**/*.ts'],
      excludeFiles: [...tests, 'packages/ground/src/ports/clock-and-ids.ts'],
      rules: { 'own/no-date-now': 'error' },
    },
    {
      files: ['packages/*/src/**/*.ts'],
      excludeFiles: [...tests, ...dated],
      rules: { 'own/no-wall-wait': 'error' },
    },
    {
      files: [
        'packages/core/src/{policies,requests}/**/*.ts',
        'packages/ground/src/call/{*,{context,limits,operation,results,security}/*}.ts',
        'packages/http/src/{endpoint,fetch,node}/**/*.ts',
        'packages/audit/src/commit/*.ts',
      ],
      excludeFiles: tests,
      rules: { 'own/no-long-lived-function': 'error' },
    },
    ...Object.keys(packages).map((name) => forbid([`packages/${name}/src/**/*.ts`], packageRules(name))),
    ...Object.keys(rooms).map((room) =>
      forbid([`packages/core/src/${room}/**/*.ts`], [...packageRules('core'), roomRules(room)]),
    ),
    ...Object.keys(floors).flatMap((name) =>
      floors[name].map((floor) =>
        forbid(
          [`packages/${name}/src/${floor}/**/*.ts`],
          [...packageRules(name), ...floorRules(name, floor)],
        ),
      ),
    ),
    ...Object.entries(innerRooms).flatMap(([place, beside]) => {
      const [name, room] = place.split('/');
      const around = name === 'core' ? [roomRules(room)] : floorRules(name, room);
      return Object.keys(beside).map((inner) =>
        forbid(
          [`packages/${name}/src/${room}/${inner}/**/*.ts`],
          [...packageRules(name), ...around, ...innerRules(place, inner)],
        ),
      );
    }),
  ],
};
