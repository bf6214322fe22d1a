import { spawnSync } from 'node:child_process';
import { compilerOptions, programs } from '../support/project-folder.js';
import {
  filesInWrongOrder,
  filesThatFail,
  imports,
  programsThatStart,
  programThatServes,
} from '../support/mistaken-sources.js';
import { saidAtStart } from '../support/said-at-start.js';
import { saidByBuild } from '../support/said-by-build.js';
import { SmallProject } from '../support/small-project.js';

const tsconfig = (options: object = {}) => ({
  // As a new app has them: the manifest says what constructors need.
  compilerOptions: { ...compilerOptions, emitDecoratorMetadata: false, sourceMap: true, ...options },
  include: ['src'],
});

/** The files of a project, each with the imports that it needs. */
function projectOf(files: Record<string, string>, options?: object): SmallProject {
  const sources = Object.entries(files).map(([name, text]) => [`src/${name}.ts`, `${imports}${text}`]);
  return new SmallProject({
    'package.json': { name: 'first', type: 'module', scripts: { start: 'node dist/main.js' } },
    'tsconfig.json': tsconfig(options),
    'loose.json': tsconfig({ strict: false }),
    'plain.json': tsconfig({ experimentalDecorators: false, emitDecoratorMetadata: false }),
    'torn.json': '{ "compilerOptions": {\n',
    'on-torn.json': { extends: './torn.json' },
    'on-none.json': { extends: './configs/none.json' },
    'empty.json': '\n',
    'on-empty.json': { extends: './empty.json' },
    'torn/package.json': '{\n  "name": "torn"\n  "main": "dist/main.js"\n}\n',
    'torn/tsconfig.json': tsconfig(),
    'torn/main.ts': '',
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
/** Its metadata name classes. */
let orderless: SmallProject;
/** What `toolwright build` says of the project that fails. */
let built: string;

beforeAll(() => {
  starting = projectOf(programsThatStart);
  serving = projectOf(programThatServes);
  failing = projectOf(filesThatFail);
  orderless = projectOf(filesInWrongOrder, { emitDecoratorMetadata: true });
  starting.build();
  serving.build();
  expect(textOf(failing.compile())).toBe('');
  built = textOf(failing.toolwright('build'));
});

afterAll(async () => {
  await starting.leave();
  await serving.leave();
  await failing.leave();
  await orderless.leave();
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

const pretendOld = `data:text/javascript,${encodeURIComponent(
  "const { versions } = process; Object.defineProperty(process, 'versions', { value: { ...versions, node: '18.20.4' } });",
)}`;

function oldNode(): string {
  const words = ['--import', pretendOld, programs.toolwright, 'build'];
  return textOf(spawnSync(process.execPath, words, { encoding: 'utf8', env: { PATH: process.env['PATH'] } }));
}

/** What a person reads after each mistake: the place, if a file is wrong; the cause; what to do. */
const mistakes: [mistake: string, read: () => string, place: RegExp, cause: RegExp, fix: RegExp][] = [
  ...saidAtStart.map(([mistake, program, ...said]): (typeof mistakes)[number] => [
    mistake,
    () => start(program),
    ...said,
  ]),
  ...saidByBuild.map(([mistake, ...said]): (typeof mistakes)[number] => [mistake, () => built, ...said]),
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
    'a request of Express as a parameter',
    () => built,
    /src\/request\.ts:\d+:\d+: TW_SCHEMA_LIVE_OBJECT/,
    /req: Request is a server's own object/,
    /Take the values that the method needs as parameters/,
  ],
  [
    'a blank in a name',
    () => built,
    /src\/blank\.ts:\d+:\d+: TW_NAME_INVALID/,
    /"get weather" cannot name a tool/,
    /Use 1 to 64 of the characters/,
  ],
  [
    'a resource without a scheme',
    () => built,
    /src\/schemelessUri\.ts:\d+:\d+: TW_URI_INVALID/,
    /"settings" is not an absolute URI/,
    /Give it a URI such as "config:\/\/app"/,
  ],
  [
    'a class as a tool, without its method',
    () => built,
    /src\/invoke\.ts:4:1: TW_SCHEMA_PLACE/,
    /SearchPages has no method `invoke`/,
    /on a class with a public method `invoke`/,
  ],
  [
    'a function in a property',
    () => built,
    /src\/arrow\.ts:4:1: TW_SCHEMA_PLACE/,
    /invoke is a property/,
    /Write `name\(…\) \{ … \}`/,
  ],
  [
    'an accessor as a tool',
    () => built,
    /src\/accessor\.ts:4:25: TW_SCHEMA_PLACE/,
    /hello is an accessor/,
    /Write `name\(…\) \{ … \}`/,
  ],
  [
    'an injected property',
    () => built,
    /src\/field\.ts:6:3: TW_SCHEMA_INJECT/,
    /clock is a property, and the container fills in parameters only/,
    /Write `constructor\(@Inject\('clock'\) readonly clock: Date\) \{\}`/,
  ],
  [
    'an argument of a class with methods that no module exports',
    () => built,
    /src\/hidden\.ts:4:7: TW_SCHEMA_HIDDEN_CLASS/,
    /Money has methods, but no module exports it/,
    /Export the class/,
  ],
  [
    'a mark of a misspelt parameter',
    () => built,
    /src\/marked\.ts:\d+:\d+: TW_SCHEMA_LOST_RULE/,
    /@Sensitive\('pasword'\) names no parameter/,
    /Did you mean 'password'\?/,
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
    'a template where an address belongs',
    () => built,
    /src\/asResource\.ts:\d+:\d+: TW_URI_INVALID/,
    /"items:\/\/\{id\}" is not an absolute URI/,
    /A URI with variables is a template: use @McpResourceTemplate\(\{ uriTemplate: 'items:\/\/\{id\}' \}\)/,
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
    'a program that is started without source maps',
    () => textOf(starting.node('dist/option.js')),
    /src\/option\.ts:\d+:\d+: TW_OPTION_INVALID/,
    /There is no option "timeuot"/,
    /Did you mean 'timeout'\?/,
  ],
  [
    'a warning of a program that is started without source maps',
    () => textOf(starting.node('dist/silent.js')),
    /"location":"[^"]*src\/silent\.ts:\d+:\d+"/,
    /The tool \\"getsilent\\" has no description/,
    /write a doc comment above it/,
  ],
  [
    'a resource whose method needs an argument',
    () => built,
    /src\/parameter\.ts:\d+:\d+: TW_URI_INVALID/,
    /its method needs "id", and "notes:\/\/note" has no variable that gives it/,
    /@McpResourceTemplate\(\{ uriTemplate: 'notes:\/\/note\/\{id\}' \}\)/,
  ],
  [
    'scopes without a scope',
    () => built,
    /src\/scopeless\.ts:\d+:\d+: TW_POLICY_INVALID/,
    /requireScopes of Open\.open: it names no scope/,
    /@RequireScopes\('pages:read'\)/,
  ],
  [
    'the second parameter of the official SDK',
    () => built,
    /src\/extra\.ts:\d+:\d+: TW_SCHEMA_LIVE_OBJECT/,
    /extra\.signal: AbortSignal is an event target/,
    /The server gives one to a parameter of its own: `signal: AbortSignal`/,
  ],
  [
    'an argument of a class that is declared below',
    () => textOf(orderless.toolwright('build')),
    /src\/below\.ts:\d+:\d+: TW_SCHEMA_LATER_CLASS/,
    /GetBelow is declared before Note, which its metadata name/,
    /Declare it above the class that uses it/,
  ],
  [
    'a nested class that is declared below',
    () => textOf(orderless.toolwright('build')),
    /src\/nested\.ts:\d+:\d+: TW_SCHEMA_LATER_CLASS/,
    /Order is declared before Item, which its metadata name/,
    /or in a module of its own/,
  ],
  [
    'a secret without a mark',
    () => textOf(starting.toolwright('build', '--out', 'again.manifest.json')),
    /\(src\/secret\.ts:\d+:\d+\)/,
    /note: Arguments that look like secrets have no mark: password of signIn[^\n]*, apiKey of signIn/,
    /Write @Sensitive\(\) before each/,
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
    'a tsconfig that is not JSON',
    () => textOf(serving.toolwright('build', '--project', 'torn.json', '--out', 'torn.manifest.json')),
    /torn\.json:\d+:\d+/,
    /'}' expected/,
    /Correct the file: it is not JSON/,
  ],
  [
    'a tsconfig that extends one that is not JSON',
    () => textOf(serving.toolwright('build', '--project', 'on-torn.json', '--out', 'torn.manifest.json')),
    /\btorn\.json:\d+:\d+/,
    /'}' expected/,
    /Correct the file: it is not JSON/,
  ],
  ...(
    [
      [
        'one that is missing',
        'on-none',
        /on-none\.json:2:3/,
        /Cannot read file '[^']*none\.json'/,
        /Correct "extends"/,
      ],
      ['an empty one', 'on-empty', /\/empty\.json:1:1/, /'\{' expected/, /Correct the file: it is empty/],
    ] as const
  ).map(([which, name, ...said]): (typeof mistakes)[number] => [
    `a tsconfig that extends ${which}`,
    () => textOf(serving.toolwright('build', '--project', `${name}.json`, '--out', 'torn.manifest.json')),
    ...said,
  ]),
  ...[['start'], ['dev', '--no-console'], ['run', 'main.ts'], ['build']].map(
    (words): (typeof mistakes)[number] => [
      `a package.json that is not JSON, for ${words[0]}`,
      () => textOf(serving.nodeIn('torn', programs.toolwright, ...words)),
      /torn\/package\.json:3/,
      /comma expected|',' expected/,
      /Correct the file: it is not JSON/,
    ],
  ),
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
  [
    'an old Node.js that starts a server',
    () => textOf(starting.node('--import', pretendOld, 'dist/option.js')),
    /^/,
    /This is Node\.js 18\.20\.4/,
    /@toolwright\/core needs Node\.js 20\.19 or later/,
  ],
  ['an old Node.js', oldNode, /^/, /This is Node\.js 18\.20\.4/, /toolwright needs Node\.js 20\.19 or later/],
];

test.each(mistakes)('%s: its place, its cause and what to do are said', (_, read, place, cause, fix) => {
  const said = read();
  expect(said).toMatch(place);
  expect(said).toMatch(cause);
  expect(said).toMatch(fix);
});

test('these are at least the 75 that newcomers make', () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(75);
});

test('a mistake in a type that two tools use is said once', () => {
  expect(built.match(/TW_SCHEMA_HIDDEN_CLASS/g)).toHaveLength(1);
});

test('a class may name itself, and lists of a class below', () => {
  expect(textOf(orderless.toolwright('build'))).not.toContain('itself.ts');
});
