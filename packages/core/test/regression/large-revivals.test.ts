import { bootSources, type BootedSources } from '../support/booted-sources.js';

/** A service whose argument is one of `count` interfaces that contain each other, each with a date. */
const sources = (count: number, options = '') => {
  const names = Array.from({ length: count }, (_, index) => `N${index}`);
  const types = names.map(
    (name) =>
      `interface ${name} { kind: '${name}'; text${name}: string; at?: Date; left?: Node; right?: Node[]; size${name}?: number }`,
  );
  return {
    'tools.ts': `import { McpService, McpTool } from '@toolwright/core';
      ${types.join('\n')}
      type Node = ${names.join(' | ')};
      /** The years of all dates. */
      function yearsIn(node: Node): number[] {
        const inner = [...(node.left ? [node.left] : []), ...(node.right ?? [])].flatMap(yearsIn);
        return [...(node.at ? [node.at.getUTCFullYear()] : []), ...inner];
      }
      @McpService() export class Tools {
        @McpTool(${options}) years(node: Node, other?: number): number[] { void other; return yearsIn(node); }
      }`,
  };
};

const booted: BootedSources[] = [];

afterAll(() => Promise.all(booted.map((each) => each.close())));

async function bootWith(count: number, options?: string): Promise<BootedSources> {
  const made = await bootSources(sources(count, options));
  booted.push(made);
  return made;
}

const sizeOf = ({ manifest }: BootedSources) => JSON.stringify(manifest).length;

test('types that contain each other are revived at any depth', async () => {
  const { wire } = await bootWith(6);
  const node = {
    kind: 'N0',
    textN0: 'a',
    at: '2020-01-01T00:00:00Z',
    left: { kind: 'N5', textN5: 'b', at: '2021-01-01T00:00:00Z' },
    right: [{ kind: 'N3', textN3: 'c', left: { kind: 'N0', textN0: 'd', at: '2022-01-01T00:00:00Z' } }],
  };
  const { result } = await wire.call('years', { node });
  expect(result.content[0].text).toBe('[2020,2021,2022]');
}, 60_000);

test('the manifest grows with the number of types, not with the number of ways between them', async () => {
  const small = await bootWith(8);
  const large = await bootWith(32);
  expect(sizeOf(large) / sizeOf(small)).toBeLessThan(4.5);
}, 60_000);

test('the budget of a tool counts what converts its values', async () => {
  const { manifest } = booted.at(-1)!;
  const [{ input }] = manifest.entries as [(typeof manifest.entries)[0]];
  const published = JSON.stringify([manifest.schemas[input], manifest.$defs]).length;
  const { diagnostics } = await bootWith(32, `{ maxSchemaBytes: ${published + 200} }`);
  expect(diagnostics).toContainEqual(
    expect.objectContaining({
      code: 'TW_SCHEMA_OVER_BUDGET',
      message: expect.stringContaining('and what converts their values takes') as string,
    }),
  );
}, 60_000);
