import { spawnSync } from 'node:child_process';
import { compilerOptions, programs } from '../support/project-folder.js';
import { SmallProject } from '../support/small-project.js';

const imports = `import { createMcpServer, McpResourceTemplate, McpService, McpTool, RateLimit, RequireScopes } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
void [createMcpServer, McpResourceTemplate, RateLimit, RequireScopes, serveHttp];
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
const programsThatStart: Record<string, string> = {
  option: `${service('GetOption')}${made('GetOption', ', ...({ timeuot: 5 } as object)')}`,
  plain: `class Plain { greet() {} }\n${made('Plain')}`,
  prot: `${service('GetProt')}${made('GetProt')}${served('{ port: 0, prot: 3000 } as never')}`,
  interface: `${service('GetClock', { needs: 'readonly clock: { now(): number }' })}${made('GetClock')}`,
  provider: `abstract class Clock { abstract now(): number }\n${service('GetTime', { needs: 'readonly clock: Clock' })}${made('GetTime')}`,
  scoped: `${service('GetScoped', { more: "@RequireScopes('hello:read')" })}${made('GetScoped')}${served('{ port: 0 }')}`,
  silent: `${service('GetSilent', { comment: '' })}${made('GetSilent')}`,
  taken: `${service('GetTaken')}${made('GetTaken')}
const { port } = await serveHttp(server, { port: 0, signals: false });
process.once('uncaughtExceptionMonitor', () => void server.close(0));
await serveHttp(server, { port, signals: false });
`,
  stale: `${service('GetStale')}${made('GetStale')}`,
};

/** One file with everything: its class is looked at, and it serves. */
const programThatServes = {
  main: `${service('GetBoth', { annotations: '{ readOnlyHint: true, destructiveHint: true }' })}${made('GetBoth')}await serveHttp(server, { port: 0 });\n`,
};

/** Files with mistakes that the build finds. */
const filesThatFail: Record<string, string> = {
  unbuilt: `${service('GetUnbuilt')}${made('GetUnbuilt')}`,
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
  period: service('GetPeriod', { more: "@RateLimit({ points: 5, per: 'minute' as never })" }),
  twice: `${service('GetTwice')}${service('Getting').replace("'getting'", "'gettwice'")}`,
  tag: service('GetTag', { parameter: '/** @maxLenght 9 */ text: string' }),
  circle: `import { Other } from './other.js';\n${service('GetCircle', { needs: 'readonly other: Other' })}`,
  other:
    "import { GetCircle } from './circle.js';\nexport class Other { constructor(readonly circle: GetCircle) {} }",
  unserved: service('GetNothing'),
};

const tsconfig = (options: object = {}) => ({
  compilerOptions: { ...compilerOptions, sourceMap: true, ...options },
  include: ['src'],
});

/** The files of a project, each with the imports that it needs. */
function projectOf(files: Record<string, string>): SmallProject {
  const sources = Object.entries(files).map(([name, text]) => [`src/${name}.ts`, `${imports}${text}`]);
  return new SmallProject({
    'package.json': { name: 'first', type: 'module', scripts: { start: 'node dist/main.js' } },
    'tsconfig.json': tsconfig(),
    'loose.json': tsconfig({ strict: false }),
    'plain.json': tsconfig({ experimentalDecorators: false, emitDecoratorMetadata: false }),
    'nowhere.json': tsconfig({ outDir: undefined }),
    ...(Object.fromEntries(sources) as Record<string, string>),
  });
}

interface Printed {
  stdout: string;
  stderr: string;
}
const textOf = ({ stdout, stderr }: Printed) => stdout + stderr;

let starting: SmallProject;
let serving: SmallProject;
let failing: SmallProject;
/** What `toolwright build` says of the project that fails. */
let built: string;

beforeAll(() => {
  starting = projectOf(programsThatStart);
  serving = projectOf(programThatServes);
  failing = projectOf(filesThatFail);
  starting.build();
  serving.build();
  expect(textOf(failing.compile())).toBe('');
  built = textOf(failing.toolwright('build'));
});

afterAll(async () => {
  await starting.leave();
  await serving.leave();
  await failing.leave();
});

/** A program of a user, started as `npm start` of a new app does it. */
const start = (name: string, project = starting) =>
  textOf(project.node('--enable-source-maps', `dist/${name}.js`));

/** Renames the method in what was compiled, as an edit without a new build of the manifest does. */
function startStale(): string {
  starting.edit('dist/stale.js', 'greet(', 'grunt(');
  starting.edit('dist/stale.js', '"greet"', '"grunt"');
  return start('stale');
}

function oldNode(): string {
  const pretend = `data:text/javascript,${encodeURIComponent(
    "const { versions } = process; Object.defineProperty(process, 'versions', { value: { ...versions, node: '18.20.4' } });",
  )}`;
  const words = ['--import', pretend, programs.toolwright, 'build'];
  return textOf(spawnSync(process.execPath, words, { encoding: 'utf8', env: { PATH: process.env['PATH'] } }));
}

/** What a person reads after each mistake: the place, if a file is wrong; the cause; what to do. */
const mistakes: [mistake: string, read: () => string, place: RegExp, cause: RegExp, fix: RegExp][] = [
  [
    'a misspelt option of the server',
    () => start('option'),
    /src\/option\.ts:\d+:\d+: TW_OPTION_INVALID/,
    /There is no option "timeuot"/,
    /Did you mean 'timeout'\?/,
  ],
  [
    'a misspelt option of serveHttp',
    () => start('prot'),
    /src\/prot\.ts:\d+:\d+: TW_OPTION_INVALID/,
    /There is no option "prot"/,
    /Did you mean 'port'\?/,
  ],
  [
    'a class without decorators among the services',
    () => start('plain'),
    /src\/plain\.ts:\d+:\d+: TW_SERVICE_EMPTY/,
    /Plain is listed as a service but none of its methods is decorated/,
    /Decorate a method with @McpTool/,
  ],
  [
    'an interface that the constructor takes',
    () => start('interface'),
    /src\/interface\.ts:\d+:\d+: TW_DEPENDENCY_UNKNOWN/,
    /its type is not a class that exists at run time/,
    /Write @Inject\(token\) before the parameter/,
  ],
  [
    'a missing provider',
    () => start('provider'),
    /src\/provider\.ts:\d+:\d+: TW_DEPENDENCY_MISSING/,
    /Nothing provides Clock: GetTime needs Clock/,
    /add \{ provide: Clock, useClass: … \}/,
  ],
  [
    'scopes where nothing says who calls',
    () => start('scoped'),
    /"location":"[^"]*src\/scoped\.ts:\d+:\d+"/,
    /Nobody can use the tool \\"getscoped\\": it needs the scope hello:read, and nothing says who calls/,
    /Set oauth, principal or authenticate/,
  ],
  [
    'a tool without a description',
    () => start('silent'),
    /"location":"[^"]*src\/silent\.ts:\d+:\d+"/,
    /The tool \\"getsilent\\" has no description/,
    /write a doc comment above it/,
  ],
  [
    'a port that is taken',
    () => start('taken'),
    /at async \S+ \([^)]*src\/taken\.ts:\d+:\d+\)/,
    /Port \d+ of 127\.0\.0\.1 is taken/,
    /end what listens there, or choose another/,
  ],
  [
    'an app that was compiled and not built',
    () => start('unbuilt', failing),
    /src\/unbuilt\.ts:\d+:\d+: TW_MANIFEST_MISSING/,
    /There is no file \S+mcp\.manifest\.json/,
    /Run `npx --no toolwright build`/,
  ],
  [
    'an edit without a build',
    startStale,
    /src\/stale\.ts:\d+:\d+: TW_MANIFEST_STALE/,
    /grunt is not in it; greet is no longer decorated/,
    /Run `npx --no toolwright build`/,
  ],
  [
    'a tool that only reads and destroys',
    () => textOf(serving.toolwright('lint')),
    /src\/main\.ts:\d+:\d+: error: annotations-contradict/,
    /it says that it only reads \(readOnlyHint\) and that it destroys \(destructiveHint\)/,
    /leave one of them out/,
  ],
  [
    'a function as a parameter',
    () => built,
    /src\/callback\.ts:\d+:\d+: TW_SCHEMA_FUNCTION/,
    /a function/,
    /data/,
  ],
  [
    'a misspelt annotation',
    () => built,
    /src\/annotation\.ts:\d+:\d+: TW_OPTION_INVALID/,
    /There is no option "annotations\.destructive"/,
    /Options of annotations are: [^\n]*destructiveHint/,
  ],
  [
    'a URI template with another name than the parameter',
    () => built,
    /src\/template\.ts:\d+:\d+: TW_URI_INVALID/,
    /its variable "id" is no parameter of the method/,
    /Name the parameters of the method like the variables of the template/,
  ],
  [
    'a period in words',
    () => built,
    /src\/period\.ts:\d+:\d+: TW_OPTION_INVALID/,
    /"per" must be a duration such as '1m'[^\n]*not "minute"/,
    /Correct the options of @RateLimit/,
  ],
  [
    'two tools of one name',
    () => built,
    /src\/twice\.ts:\d+:\d+: warning: TW_SCHEMA_DUPLICATE_NAME/,
    /gettwice is also the name of src\/twice\.ts#GetTwice\.greet/,
    /Give one of them another name/,
  ],
  [
    'a misspelt tag of a comment',
    () => built,
    /src\/tag\.ts:\d+:\d+: warning: TW_/,
    /@maxLenght/,
    /@maxLength/,
  ],
  [
    'two modules that import each other',
    () => built,
    /src\/circle\.ts:\d+:\d+: warning: TW_DEPENDENCY_CIRCULAR/,
    /GetCircle needs Other needs GetCircle: a circle over 2 modules/,
    /Move the common part into a third class/,
  ],
  [
    'a class that no server lists',
    () => built,
    /src\/unserved\.ts:\d+:\d+: warning: TW_SERVICE_UNSERVED/,
    /No server lists GetNothing/,
    /services: \[GetNothing\]/,
  ],
  [
    'strict: false',
    () => textOf(serving.toolwright('build', '--project', 'loose.json', '--out', 'loose.manifest.json')),
    /in loose\.json/,
    /"strict" is off/,
    /Set "strict": true/,
  ],
  [
    'no experimentalDecorators',
    () => textOf(serving.toolwright('build', '--project', 'plain.json', '--out', 'plain.manifest.json')),
    /in plain\.json/,
    /"experimentalDecorators" is off/,
    /need "experimentalDecorators": true/,
  ],
  [
    'no outDir',
    () => textOf(serving.toolwright('dev', '--no-console', '--project', 'nowhere.json', 'src/main.ts')),
    /nowhere\.json/,
    /toolwright dev runs compiled files/,
    /Set "outDir"/,
  ],
  [
    'no tsconfig',
    () => textOf(serving.toolwright('dev', '--no-console', '--project', 'none.json', 'src/main.ts')),
    /none\.json/,
    /There is no none\.json/,
    /--project/,
  ],
  ['an old Node.js', oldNode, /^/, /This is Node\.js 18\.20\.4/, /toolwright needs Node\.js 20\.19 or later/],
];

test.each(mistakes)('%s: its place, its cause and what to do are said', (_, read, place, cause, fix) => {
  const said = read();
  expect(said).toMatch(place);
  expect(said).toMatch(cause);
  expect(said).toMatch(fix);
});

test('these are at least the 19 that newcomers make', () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(19);
});
