import {
  comment,
  cutSentences,
  groupBy,
  importLine,
  kebabName,
  literalText,
  NameSet,
  pascalName,
  plainText,
  safeText,
  wordsOf,
} from '@toolwright/json';
import type { ApiPlan } from '../model/plan-operations.js';
import { takenNames } from '../model/taken-names.js';
import type { PlannedOperation } from '../model/planned-operation.js';
import { originOf } from '../model/origin.js';
import { BoundedTypes } from './bounded-types.js';
import { noNames, type UsedNames } from './type-text.js';
import { SPECIFICATION, writeMethod } from './write-method.js';
import { writeTypes } from './write-types.js';

export interface FileWriting {
  /** Where the API is, unless `API_BASE_URL` says otherwise. */
  readonly baseUrl?: string | undefined;
}

/** Writes all files of an import: their paths below the folder, and their texts. */
export function writeFiles(plan: ApiPlan, { baseUrl = plan.baseUrl }: FileWriting = {}): Map<string, string> {
  // A service imports its types, its client and what it is written with: each needs a name of its own.
  const names = new NameSet([...takenNames, ...plan.inputs.keys(), ...plan.outputs.keys()]);
  const api = names.take(`${apiNameOf(plan.title)}Api`);
  const groups = groupBy(plan.operations, ({ group }) => group);
  const classes = new Map(
    [...groups.keys()].map((group) => [group, names.take(`${pascalName(group)}Tools`)]),
  );
  const shared = new Set<string>();
  const bounded = new BoundedTypes(names);
  const fileNames = new NameSet();
  const files = new Map<string, string>();
  const services: { name: string; file: string }[] = [];
  for (const [group, operations] of groups) {
    const name = classes.get(group)!;
    const file = `${fileNames.take(`${kebabName(group)}-tools`)}`;
    const text = writeService({ name, api, group, about: plan.groups.get(group) ?? '', operations }, plan, {
      shared,
      bounded,
      typeName: (wanted) => names.take(wanted),
    });
    files.set(`${file}.ts`, text);
    services.push({ name, file });
  }
  if (shared.size > 0) files.set('types.ts', writeTypes(shared, plan, bounded));
  files.set('api.ts', writeApi(api, plan, baseUrl));
  files.set('index.ts', writeIndex(services, api));
  return files;
}

function apiNameOf(title: string): string {
  const words = wordsOf(title).filter((word) => word !== 'api' && word !== 'rest');
  return pascalName(words.join(' ')) || 'Rest';
}

interface Service {
  readonly name: string;
  readonly api: string;
  readonly group: string;
  readonly about: string;
  readonly operations: readonly PlannedOperation[];
}

/** A container calls methods with these names. */
const HOOKS = ['onInit', 'onDispose', 'onModuleInit', 'onModuleDestroy'];

function writeService(
  { name, api, group, about, operations }: Service,
  plan: ApiPlan,
  {
    shared,
    bounded,
    typeName,
  }: { shared: Set<string>; bounded: BoundedTypes; typeName: (wanted: string) => string },
): string {
  const used = noNames(bounded);
  used.core.add('McpService');
  // `list_a1` and `list_a_1` are two tools, and one name in camel case.
  const methodNames = new NameSet(['constructor', 'api', ...HOOKS]);
  const methods = operations.map((each) =>
    writeMethod(each, plan, used, { typeName, methodName: (wanted) => methodNames.take(wanted) }),
  );
  for (const type of used.types) shared.add(type);
  const declarations = methods.map(({ declarations }) => declarations).filter((text) => text !== '');
  const { origin, category } = originOf(plan.title, group);
  const words = safeText(cutSentences(plainText(about), 160));
  return [
    importsOf(used, [api, ...(plan.source === undefined ? [] : [SPECIFICATION])]),
    ...declarations.map((text) => `${text}\n`),
    comment(words === '' ? [] : [words], ''),
    `@McpService({ origin: ${literalText(origin)}, category: ${literalText(category)} })\nexport class ${name} {\n`,
    `  constructor(private readonly api: ${api}) {}\n\n`,
    `${methods.map(({ method }) => method).join('\n')}}\n`,
  ].join('');
}

function importsOf({ core, openapi, types }: UsedNames, ofClient: readonly string[]): string {
  const ofCore = [...core].map((name) => (name === 'integer' ? 'type integer' : name));
  const ofPackage = [...openapi].map((name) => (name === 'Json' ? 'type Json' : name));
  return [
    importLine(ofCore, '@toolwright/core'),
    ...(ofPackage.length > 0 ? [importLine(ofPackage, '@toolwright/openapi')] : []),
    importLine(ofClient, './api.js'),
    ...(types.size > 0 ? [importLine([...types], './types.js', 'import type')] : []),
    '\n',
  ].join('');
}

function writeApi(api: string, plan: ApiPlan, baseUrl: string | undefined): string {
  const { title, security, operations, source } = plan;
  const { bearer, basic, apiKeys } = security;
  // Without any scheme, a token is the usual way.
  const hasToken = bearer || (!basic && apiKeys.length === 0);
  const keys = apiKeys.map((each, index) => ({ ...each, variable: numbered('API_KEY', index) }));
  const others = [...new Set(operations.flatMap((each) => each.baseUrl ?? []))].filter(
    (url) => !url.startsWith('/'),
  );
  const servers = others.map((url, index) => ({ url, variable: numbered('API_BASE_URL', index + 1) }));
  const variables = [
    'API_BASE_URL',
    ...servers.map(({ variable }) => variable),
    ...(hasToken ? ['API_TOKEN'] : []),
    ...(basic ? ['API_USERNAME', 'API_PASSWORD'] : []),
    ...keys.map(({ variable }) => variable),
  ];
  const keyTexts = keys.map(
    ({ in: place, name, variable }) =>
      `{ in: ${literalText(place)}, name: ${literalText(name)}, value: ${variable} }`,
  );
  const credentials = [
    ...(hasToken ? ['token: API_TOKEN'] : []),
    ...(basic ? ['basic: { username: API_USERNAME, password: API_PASSWORD }'] : []),
    ...(keyTexts.length > 0
      ? [`apiKey: ${keyTexts.length === 1 ? keyTexts[0]! : `[${keyTexts.join(', ')}]`}`]
      : []),
    ...(servers.length > 0
      ? [
          `servers: {\n${servers.map(({ url, variable }) => `        ${literalText(url)}: ${variable} ?? ${literalText(url)},\n`).join('')}      }`,
        ]
      : []),
  ];
  const address = baseUrl === undefined ? 'API_BASE_URL' : `API_BASE_URL ?? ${literalText(baseUrl)}`;
  return [
    `import { ApiClient } from '@toolwright/openapi';\n\n`,
    source === undefined
      ? ''
      : `/** The file that the tools come from. */\nexport const ${SPECIFICATION} = ${literalText(source)};\n\n`,
    comment(
      [
        `The client of ${safeText(plainText(title))}: where the API is, and how it knows who calls.`,
        'Credentials come from the environment. Use a function for a token that depends on the caller.',
      ],
      '',
    ),
    `export class ${api} extends ApiClient {\n  constructor() {\n`,
    `    const { ${variables.join(', ')} } = process.env;\n    super({\n      baseUrl: ${address},\n`,
    ...credentials.map((line) => `      ${line},\n`),
    '    });\n  }\n}\n',
  ].join('');
}

/** `API_KEY`, `API_KEY_2`, … */
const numbered = (name: string, index: number) => (index === 0 ? name : `${name}_${index + 1}`);

function writeIndex(services: readonly { name: string; file: string }[], api: string): string {
  const all = services.map(({ name }) => name);
  const line = `export const services = [${all.join(', ')}];\n`;
  return [
    `import { ${api} } from './api.js';\n`,
    ...services.map(({ name, file }) => `import { ${name} } from './${file}.js';\n`),
    '\n/** The tools of the API, for `services` of `createMcpServer`. */\n',
    line.length <= 111
      ? line
      : `export const services = [\n${all.map((name) => `  ${name},\n`).join('')}];\n`,
    '\n/** What the services need, for `providers`. */\n',
    `export const providers = [{ provide: ${api}, useFactory: () => new ${api}() }];\n`,
  ].join('');
}
