import { relative } from 'node:path';
import { TemporaryProject } from '../../schema-compiler/test/temporary-project.js';
import { renames, upgradeProject, type Renames } from '../src/index.js';

const table: Renames = {
  names: [
    ...renames.names,
    { from: '@toolwright/core/ports', name: 'TaskAdmin', to: '@toolwright/tasks', newName: 'TaskAdmin' },
    { from: '@toolwright/core', name: 'Old', to: '@toolwright/core', newName: 'New' },
    { from: '@toolwright/core', name: 'Gone', to: '@toolwright/core', newName: 'Middle' },
    { from: '@toolwright/core', name: 'Middle', to: '@toolwright/core', newName: 'Last' },
  ],
  removed: renames.removed,
  options: renames.options,
  forms: renames.forms,
};

/** What becomes of `src/main.ts`, and the notes as `src/main.ts:3:1: name: Why. What to do.` */
function upgrade(source: string, more: Record<string, string> = {}) {
  const project = new TemporaryProject({ 'src/main.ts': source, ...more }, { lib: ['es2022'] });
  try {
    const { files, notes } = upgradeProject(project.project, table);
    const named = (path: string) => relative(project.root, path).replaceAll('\\', '/');
    const texts = Object.fromEntries(files.map(({ path, after }) => [named(path), after]));
    return {
      text: texts['src/main.ts'] ?? '(unchanged)',
      texts,
      notes: notes.map(
        ({ file, line, column, subject, reason, advice }) =>
          `${named(file)}:${line}:${column}: ${subject}: ${reason} ${advice}`,
      ),
    };
  } finally {
    project.remove();
  }
}

describe('imports', () => {
  test.each([
    [
      'a name moves to its module of today, and the others stay',
      `import { mcpExpress, type TrustedIssuer } from '@toolwright/express';\nmcpExpress();\n`,
      `import { mcpExpress } from '@toolwright/express';\nimport type { TrustedIssuer } from '@toolwright/http';\nmcpExpress();\n`,
    ],
    [
      'schedules move to their package',
      `import { Injectable, Scheduled } from '@toolwright/core';\n@Injectable() export class Jobs { @Scheduled('@daily') run() {} }\n`,
      `import { Injectable } from '@toolwright/core';\nimport { Scheduled } from '@toolwright/schedules';\n@Injectable() export class Jobs { @Scheduled('@daily') run() {} }\n`,
    ],
    [
      'a name moves into an import that is there',
      `import { connect, openClient } from "@toolwright/testing"\nimport { McpClient } from "@toolwright/client"\nopenClient(connect)\n`,
      `import { connect } from "@toolwright/testing"\nimport { McpClient, openClient } from "@toolwright/client"\nopenClient(connect)\n`,
    ],
    [
      'an import of which nothing is left becomes the new one',
      `import {\n  Channel,\n  openClient,\n} from '@toolwright/testing';\nopenClient();\n`,
      `import { Channel, openClient } from '@toolwright/client';\nopenClient();\n`,
    ],
    [
      'every use of a renamed name follows, and nothing of the same name',
      `import { Old } from '@toolwright/core';\nconst a = { Old, b: Old, Old: 1 };\nfunction f(Old: number) { return Old; }\ntype T = typeof Old;\nexport { Old };\n`,
      `import { New } from '@toolwright/core';\nconst a = { Old: New, b: New, Old: 1 };\nfunction f(Old: number) { return Old; }\ntype T = typeof New;\nexport { New as Old };\n`,
    ],
    [
      'an alias stays, and so does a name whose new form is taken',
      `import { Old as Mine, Gone } from '@toolwright/core';\nconst Last = [Mine, Gone];\n`,
      `import { New as Mine, Last as Gone } from '@toolwright/core';\nconst Last = [Mine, Gone];\n`,
    ],
    [
      'a re-export keeps the name that it gives to others',
      `export { Old, type Challenge } from '@toolwright/core';\nexport { type Challenge as C } from '@toolwright/express';\n`,
      `export { New as Old, type Challenge } from '@toolwright/core';\nexport type { Challenge as C } from '@toolwright/http';\n`,
    ],
    [
      'a name that changed twice gets its last name and module',
      `import type { TaskDesk } from '@toolwright/core';\nlet desk: TaskDesk;\n`,
      `import type { TaskAdmin } from '@toolwright/tasks';\nlet desk: TaskAdmin;\n`,
    ],
    [
      'names behind a namespace and an import type follow',
      `import * as core from '@toolwright/core';\nlet a: core.Gone = core.Old;\nlet b: import('@toolwright/core').Gone;\n`,
      `import * as core from '@toolwright/core';\nlet a: core.Last = core.New;\nlet b: import('@toolwright/core').Last;\n`,
    ],
    [
      'line ends stay',
      `import { openClient } from '@toolwright/testing';\r\nimport { Old } from '@toolwright/core';\r\nexport { Old, openClient };\r\n`,
      `import { openClient } from '@toolwright/client';\r\nimport { New } from '@toolwright/core';\r\nexport { New as Old, openClient };\r\n`,
    ],
  ])('%s', (_what, before, after) => {
    expect(upgrade(before)).toMatchObject({ text: after, notes: [] });
  });

  test('names of other packages stay', () => {
    const source = `import { Old, openClient } from './mine';\nimport { TaskDesk } from 'desk';\nOld(openClient, TaskDesk);\n`;
    expect(upgrade(source).text).toBe('(unchanged)');
  });

  test('what cannot be changed is named with its place', () => {
    const { text, notes } = upgrade(
      [
        `import { loadSourceEdits } from '@toolwright/schema-compiler';`,
        `import * as testing from '@toolwright/testing';`,
        `export const open = testing.openClient;`,
        `const { capabilitiesOf } = await import('@toolwright/testing');`,
        `loadSourceEdits(capabilitiesOf);`,
      ].join('\n'),
    );
    expect(text).toBe('(unchanged)');
    expect(notes).toEqual([
      'src/main.ts:1:10: loadSourceEdits: @toolwright/schema-compiler no longer exports it. Import migrateProject, mountInExpress and the other functions from @toolwright/codemod.',
      'src/main.ts:3:29: openClient: @toolwright/testing no longer exports it. Take openClient from @toolwright/client.',
      'src/main.ts:4:9: capabilitiesOf: @toolwright/testing no longer exports it. Take capabilitiesOf from @toolwright/client.',
    ]);
  });
});

describe('options', () => {
  const imported = `import { createMcpServer, type ServerOptions } from '@toolwright/core';\n`;

  test.each([
    [
      'a key and a value get their names of today',
      `createMcpServer({ legacy: true, output: { undeclared: "allow" } });`,
      `createMcpServer({ stateful: true, output: { undeclared: "keep" } });`,
    ],
    [
      'a shorthand keeps its value',
      `const legacy = true; createMcpServer({ name: 'a', legacy });`,
      `const legacy = true; createMcpServer({ name: 'a', stateful: legacy });`,
    ],
    [
      'options that move into one object share it',
      `createMcpServer({\n  pageSize: 50,\n  name: 'a',\n  listTtlMs: 5_000,\n});`,
      `createMcpServer({\n  lists: { pageSize: 50, ttl: 5_000 },\n  name: 'a',\n});`,
    ],
    [
      'an option moves into an object that is there',
      `createMcpServer({\n  about: {\n    icons,\n  },\n  title: text('a'),\n});`,
      `createMcpServer({\n  about: {\n    title: text('a'),\n    icons,\n  },\n});`,
    ],
    [
      'an option moves out of an object',
      `createMcpServer({ name: 'a', tasks: { secrets: [key], queue } });`,
      `createMcpServer({ stores: { tasks: queue }, name: 'a', secrets: [key] });`,
    ],
    [
      'an object from which every option has moved gives its place to them',
      `createMcpServer({\n  name: 'a',\n  requestState: { secrets: [key] },\n  tasks: {\n    secrets: [key],\n    ttl: 5,\n  },\n});`,
      `createMcpServer({\n  name: 'a',\n  secrets: [key],\n  tasks: {\n    ttl: 5,\n  },\n});`,
    ],
    [
      'lists that become one list are joined, and each of their items is there once',
      `createMcpServer({ requestState: { secrets: [a, b] }, sessions: { secrets: old(), max: 5 }, tasks: { secrets: [b] } });`,
      `createMcpServer({ secrets: [a, b, ...old()], sessions: { max: 5 } });`,
    ],
    [
      'an option that may be a list becomes one',
      `createMcpServer({ stores: redisStores({ url }), bus, tasks: { queue: postgresTasks({ url }) } });`,
      `createMcpServer({ stores: [redisStores({ url }), { bus, tasks: postgresTasks({ url }) }] });`,
    ],
    [
      'a list gets one more item',
      `createMcpServer({ bus: own, stores: [one, two] });\ncreateMcpServer({ stores: [], bus });`,
      `createMcpServer({ stores: [one, two, { bus: own }] });\ncreateMcpServer({ stores: [{ bus }] });`,
    ],
    [
      'a value that was an option alone becomes a part of it',
      `createMcpServer({\n  manifest: './m.json',\n  manifestHash: process.env.HASH,\n});\ncreateMcpServer({ manifest, manifestHash });\ncreateMcpServer({ manifestHash });`,
      `createMcpServer({\n  manifest: { file: './m.json', hash: process.env.HASH },\n});\ncreateMcpServer({ manifest: { file: manifest, hash: manifestHash } });\ncreateMcpServer({ manifest: { hash: manifestHash } });`,
    ],
    [
      'constants, spreads, conditions and functions are followed',
      `const base = { legacy: true };\nconst made = () => ({ ...base, ...(x ? { pageSize: 5 } : {}) });\ncreateMcpServer({ ...made() });`,
      `const base = { stateful: true };\nconst made = () => ({ ...base, ...(x ? { lists: { pageSize: 5 } } : {}) });\ncreateMcpServer({ ...made() });`,
    ],
    [
      'what is typed as the options of a server is such an option',
      `const a: ServerOptions = { legacy: true };\nfunction b(): Partial<ServerOptions> { return { legacy: true }; }\nconst c = { legacy: true } satisfies ServerOptions;`,
      `const a: ServerOptions = { stateful: true };\nfunction b(): Partial<ServerOptions> { return { stateful: true }; }\nconst c = { stateful: true } satisfies ServerOptions;`,
    ],
    [
      'a name inside a value that moves follows, too',
      `import { Old } from '@toolwright/core';\ncreateMcpServer({ pageSize: Old(1) });`,
      `import { New } from '@toolwright/core';\ncreateMcpServer({ lists: { pageSize: New(1) } });`,
    ],
  ])('%s', (_what, before, after) => {
    expect(upgrade(imported + before)).toMatchObject({ text: imported + after, notes: [] });
  });

  test('other objects with such a key stay, and so do options of other functions', () => {
    const other = `const a = { legacy: true };\nstart({ legacy: true, pageSize: 1 });\ncreateMcpServer({ name: 'a', middle: { legacy: true } });`;
    expect(upgrade(imported + other).text).toBe('(unchanged)');
    expect(
      upgrade(`import { createMcpServer } from './mine';\ncreateMcpServer({ legacy: true });`).text,
    ).toBe('(unchanged)');
  });

  test('the argument of a function that takes a part of the options is such an option', () => {
    const core = {
      'node_modules/@toolwright/core/package.json': '{ "name": "@toolwright/core", "types": "index.d.ts" }',
      'node_modules/@toolwright/core/index.d.ts': `export interface ServerOptions { name: string }\nexport function createMcpServer(options: ServerOptions): void;`,
    };
    const boot = `const boot = (options: Partial<ServerOptions>) => options;\n`;
    expect(upgrade(`${imported}${boot}boot({ clock, ids: made() });`, core).text).toBe(
      `${imported}${boot}boot({ ports: { clock, ids: made() } });`,
    );
  });

  test('a constant of another file changes there', () => {
    const { texts } = upgrade(
      `${imported}import { options } from './options.js';\ncreateMcpServer(options);`,
      {
        'src/options.ts': `export const options = { legacy: false };\n`,
      },
    );
    expect(texts).toEqual({ 'src/options.ts': `export const options = { stateful: false };\n` });
  });

  test('what cannot be changed is named with its place', () => {
    const source = `${imported}const lists = make();\ncreateMcpServer({ lists, pageSize: 1, legacy: true, stateful: false });`;
    expect(upgrade(source)).toMatchObject({
      text: '(unchanged)',
      notes: [
        'src/main.ts:3:26: option pageSize: The objects around pageSize and lists.pageSize are not written out in one place. Write lists.pageSize in place of pageSize.',
        'src/main.ts:3:39: option legacy: stateful is set, too. Write stateful in place of legacy.',
      ],
    });
  });

  test('an option does not move into an object that another spread would replace', () => {
    const source = `${imported}const base = { name: 'a', bus };\ncreateMcpServer({ ...base, stores: redisStores() });`;
    expect(upgrade(source)).toMatchObject({
      text: '(unchanged)',
      notes: [
        'src/main.ts:2:27: option bus: The objects around bus and stores.bus are not written out in one place. Write stores.bus in place of bus.',
      ],
    });
  });

  test('a server in an app of 0.1 has the options of today', () => {
    const before = [
      `export async function openServer(settings: Settings) {`,
      `  const { logger, isProduction } = settings;`,
      `  return createMcpServer({`,
      `    name: 'notes',`,
      `    title: 'Notes',`,
      `    version: '1.4.0',`,
      `    description: \`Keeps notes of \${settings.team}.\`,`,
      `    icons: [{ src: 'https://notes.example/icon.png' }],`,
      `    services: [NoteTools],`,
      `    logger,`,
      `    // One process of three.`,
      `    pageSize: 50,`,
      `    listTtlMs: isProduction ? 60_000 : 0,`,
      `    clientSafe: false,`,
      `    maxSubscriptions: 500,`,
      `    maxSubscriptionsPerPrincipal: 8,`,
      `    concurrency: { perPrincipal: 16 },`,
      `    abandonedWork: { perTool: 64 },`,
      `    coerce: true,`,
      `    validation: 'always',`,
      `    requestState: { ttlMs: 300_000 },`,
      `    output: { undeclared: 'allow', hidden: 'drop' },`,
      `  });`,
      `}`,
    ];
    const after = [
      `export async function openServer(settings: Settings) {`,
      `  const { logger, isProduction } = settings;`,
      `  return createMcpServer({`,
      `    name: 'notes',`,
      `    about: { title: 'Notes', description: \`Keeps notes of \${settings.team}.\`, icons: [{ src: 'https://notes.example/icon.png' }] },`,
      `    version: '1.4.0',`,
      `    services: [NoteTools],`,
      `    logger,`,
      `    // One process of three.`,
      `    lists: { pageSize: 50, ttl: isProduction ? 60_000 : 0, clientSafe: false },`,
      `    subscriptions: { max: 500, maxPerPrincipal: 8 },`,
      `    concurrency: { abandonedWork: { perTool: 64 }, perPrincipal: 16 },`,
      `    input: { validation: 'always', coerce: true },`,
      `    requestState: { lifetime: 300_000 },`,
      `    output: { undeclared: 'keep', hidden: 'drop' },`,
      `  });`,
      `}`,
    ];
    expect(upgrade(imported + before.join('\n'))).toMatchObject({
      text: imported + after.join('\n'),
      notes: [],
    });
  });
});

test('the table leads from each name to one that is not in the table as a name of before', () => {
  const { names } = renames;
  const isBefore = (module: string, name: string) =>
    names.some((each) => each.from === module && each.name === name);
  const unfinished = names.filter(
    ({ to, newName }, index) =>
      isBefore(to, newName) &&
      !names.slice(index + 1).some((each) => each.from === to && each.name === newName),
  );
  expect(unfinished).toEqual([]);
});
