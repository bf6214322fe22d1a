import type { JsonSchema } from '@toolwright/json';
import { writeClient } from '../../src/client/write-client.js';
import { DevProject } from '../support/dev-project.js';
import { hidingAll } from '../support/hostile-server.js';

/** Names with another meaning in JavaScript, in TypeScript, or in the generated file. */
const names = [
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'delete',
  'class',
  'default',
  'await',
  'enum',
  'Promise',
  'Record',
  'Error',
  'ToolFailure',
  'call-tool-result',
  'client',
  '',
  '1',
  '世界',
  '%E0%A4%A',
  'a/b~c',
  hidingAll,
  '*/ throw 1; /*',
  '${throw 1}`"\'\\',
  'a\nb\u2028c',
];

const text = { type: 'string' as const };

/** Everything in this tool has one of the names: properties, definitions, values, and descriptions. */
function toolCalled(name: string) {
  const about = `${name}\n@ts-nocheck\n@ts-ignore */ throw 1; /*`;
  const own = (...values: [string, JsonSchema][]) => Object.fromEntries(values);
  const reference = name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25');
  return {
    name,
    description: about,
    deprecated: about,
    inputSchema: {
      type: 'object' as const,
      properties: {
        ...own([name, { ...text, description: about, default: about, pattern: about, enum: [name, about] }]),
        inner: { $ref: `#/$defs/${reference}` },
        absent: { $ref: '#/$defs/toString' },
        strange: { type: name as 'string' },
      },
      $defs: own([
        name,
        { type: 'object', description: about, properties: own([name, text]), required: [name] },
      ]),
    },
    outputSchema: { type: 'object' as const, properties: own([name, { const: about }]), required: [name] },
  };
}

test('a client compiles whatever the names of its tools, types and properties are, and hides nothing', () => {
  const project = new DevProject();
  const written = writeClient(names.map(toolCalled), 'HostileClient');
  expect(written).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u200b]|[\u{e0000}-\u{e0fff}]|\p{M}{5}/u);
  expect(written).not.toContain('[native code]');
  project.write('src/client.ts', written);
  // An instruction to the compiler in the file would hide this error, or be an error itself.
  project.write('src/wrong.ts', `import { HostileClient } from './client.js';\nnew HostileClient(1);\n`);
  const { stdout } = project.compile('--noEmit');
  project.remove();
  expect(
    stdout
      .trim()
      .split('\n')
      .filter((line) => /error/.test(line)),
  ).toEqual([expect.stringMatching(/^src\/wrong\.ts.* TS2345/)]);
});

test('a reference is followed only to definitions of the schema', () => {
  const [tool] = ['constructor'].map(toolCalled);
  const written = writeClient([tool!], 'NamedClient');
  expect(written).toMatch(/absent\?: unknown;\n\s+strange\?: unknown;/);
  expect(written).toMatch(/inner\?: Constructor;/);
});
