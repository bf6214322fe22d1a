import js from '@eslint/js';
import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';

/** The packages, and which of the others each may import. Tests and apps may import all. */
const packages = {
  json: [],
  hosts: [],
  'create-toolwright': [],
  manifest: ['json'],
  core: ['json', 'manifest'],
  'schema-compiler': ['json', 'manifest'],
  codemod: ['schema-compiler'],
  http: ['core', 'hosts', 'json'],
  express: ['core', 'http'],
  fastify: ['core', 'http'],
  nest: ['core', 'http'],
  stdio: ['core'],
  audit: ['core', 'json'],
  redis: ['core'],
  safe: ['core'],
  identity: ['core', 'json'],
  openapi: ['core'],
  mount: ['core', 'json'],
  schedules: ['core', 'manifest'],
  search: ['core'],
  skills: ['core'],
  postgres: ['core', 'audit'],
  tasks: ['core', 'postgres'],
  client: ['core', 'manifest'],
  views: [],
  operate: ['core', 'manifest', 'audit', 'http'],
  testing: ['core', 'json', 'manifest', 'schema-compiler', 'client'],
  console: ['core', 'manifest', 'audit', 'client', 'http', 'hosts', 'views'],
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
};

const ground = ['base', 'ports', 'call'];
const served = ['wire', 'requests', 'sessions', 'tasks'];

/** The rooms of packages/core/src, from the ground up, and the rooms below that each may import. */
const rooms = {
  base: [],
  ports: ['base'],
  call: ['base', 'ports'],
  container: ['base', 'call'],
  decorators: ['base', 'ports', 'call', 'container'],
  policies: ['base', 'ports', 'call', 'decorators'],
  wire: ground,
  requests: [...ground, 'wire'],
  sessions: [...ground, 'wire', 'requests'],
  tasks: [...ground, 'wire', 'requests'],
  observe: [...ground, 'policies', ...served],
  protocol: [...ground, ...served, 'observe'],
  boot: [...ground, 'container', 'decorators', 'policies', ...served, 'observe', 'protocol'],
};

/**
 * The rooms inside some rooms of core, from the ground up, and the rooms beside them that each may import. What stands
 * directly in the folder may import all of them, and none of them imports it.
 */
const innerRooms = {
  call: {
    context: [],
    operation: ['context'],
    limits: ['operation'],
    values: ['context', 'operation'],
    results: ['operation', 'values'],
    security: ['operation', 'limits'],
  },
  boot: {
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

const tests = ['**/*.test.ts', '**/*.test-d.ts', '**/test/**', '.ci/**', 'jest.config.ts'];
const either = (names) => `(${names.join('|')})`;
const except = (names, allowed) => names.filter((name) => !allowed.includes(name));

/** These imports break a layer, as values and as types. `allowTypeImports` spares only the types of costly libraries. */
const forbid = (files, patterns) => ({
  files,
  ignores: tests,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
});

/** See docs/adr/0258. */
const longLivedFunction = {
  selector: 'AssignmentExpression[left.type="MemberExpression"][right.type=/^(Arrow)?FunctionExpression$/]',
  message: 'V8 keeps such a function, and all it refers to, until a full collection. Write a method.',
};

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
      message: 'See "costly" in eslint.config.mjs.',
      allowTypeImports: true,
    },
    {
      regex: name === 'mount' ? '^@modelcontextprotocol/(?!client$)' : '^@modelcontextprotocol/',
      message: 'The official SDK is a referee: tests only. `mount` uses its client.',
    },
  ];
};

const roomRules = (room) => ({
  regex: `^(\\.\\./)+${either(except(Object.keys(rooms), [...rooms[room], room]))}/`,
  message: `core/src/${room} may import: ${rooms[room].join(', ') || 'nothing'}.`,
});

const innerRules = (room, inner) => {
  const beside = innerRooms[room];
  const closed = except(Object.keys(beside), [...beside[inner], inner]);
  const message = `core/src/${room}/${inner} may import: ${beside[inner].join(', ') || 'nothing'}.`;
  return [
    { regex: `^\\.\\./${either(closed)}/`, message },
    { regex: '^\\.\\./[^/]+\\.js$', message },
  ];
};

/** Words that make a reader of a comment stop, and what to write instead. docs/contributing.md has the rules. */
const unclearWords = [
  [/\bso many\b/i, 'name the number: "this many", "the largest number of", "after how many milliseconds"'],
  [/\b(those|that those) that\b/i, 'repeat the noun: "the tools that"'],
  [/\bwhat is not\b/i, 'name the thing: "a server that does not serve yet"'],
  [/(?<!\bthere )\b(is|are) none\b/i, 'say what it is: "it is not a date"'],
  [/\btold\b/i, 'say who hears, gets or learns it'],
  [/\bstands\b/i, 'write "is", "means" or "has"'],
  [/(?<!\bthere )\b(is|are) no (?!longer\b|more\b|other\b|such\b)/i, 'write "is not a"'],
  [
    /\b(faults?|breach(es)?)\b/i,
    'write "problem" (boot, build), "refusal" (a guard) or "failure" (run time)',
  ],
];

const plainWords = {
  create: (context) => ({
    Program() {
      for (const { value, loc } of context.sourceCode.getAllComments()) {
        const text = value.replace(/\s*\n\s*\*?\s*/g, ' ');
        for (const [words, advice] of unclearWords)
          if (words.test(text)) context.report({ loc, message: `"${words.exec(text)[0]}": ${advice}.` });
      }
    },
  }),
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/coverage/',
      '**/.data/',
      '**/.toolwright/',
      '**/fixtures/',
      '**/templates/',
      'apps/*/src/**/views/',
    ],
  },
  js.configs.recommended,
  tseslint.configs.recommended,
  {
    plugins: { size: { rules: { 'max-lines': builtinRules.get('max-lines') } } },
    rules: {
      'max-lines': ['error', 400],
      'size/max-lines': ['warn', 250],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.test.json',
          './packages/console/web/tsconfig.json',
          './packages/views/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    },
  },
  // Decorated fixtures declare what only a decorator ever reads, and tests pass wrong values on purpose.
  {
    files: tests,
    rules: { '@typescript-eslint/no-explicit-any': 'off', '@typescript-eslint/no-unused-vars': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        require: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
      },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['packages/*/{src,web}/**/*.{ts,tsx}'],
    ignores: tests,
    plugins: { words: { rules: { plain: plainWords } } },
    rules: { 'words/plain': 'error' },
  },
  {
    files: [
      'packages/core/src/{policies,requests}/**/*.ts',
      'packages/core/src/call/{*,{context,limits,operation,results,security}/*}.ts',
      'packages/http/src/{endpoint,fetch,node}/**/*.ts',
      'packages/audit/src/commit/*.ts',
    ],
    ignores: tests,
    rules: { 'no-restricted-syntax': ['error', longLivedFunction] },
  },
  Object.keys(packages).map((name) => forbid([`packages/${name}/src/**/*.ts`], packageRules(name))),
  Object.keys(rooms).map((room) =>
    forbid([`packages/core/src/${room}/**/*.ts`], [...packageRules('core'), roomRules(room)]),
  ),
  Object.entries(innerRooms).map(([room, beside]) =>
    Object.keys(beside).map((inner) =>
      forbid(
        [`packages/core/src/${room}/${inner}/**/*.ts`],
        [...packageRules('core'), roomRules(room), ...innerRules(room, inner)],
      ),
    ),
  ),
);
