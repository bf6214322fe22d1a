import { inspectProject, type InspectedEntry } from '../../src/index.js';
import { TemporaryProject } from '../temporary-project.js';

/** Types that take a member of another type, where TypeScript keeps no trace of the member. */
const lost: Record<string, string> = {
  values: 'Values<Login>',
  oneKey: "At<Login, 'pin'>",
  inferred: 'Inferred<Login>',
  inferredWhole: 'Whole<Login>',
  inferredDeep: 'Deep<{ login: Login }>',
  branch: 'Branch<Login>',
  twoKeys: "{ in: Box<Login, 'pin' | 'name'> }",
  listed: 'Values<Login>[]',
};
/** Types that lose nothing, though they mention the members. */
const held: Record<string, string> = {
  keys: 'KeysOf<Login, string>',
  picked: 'Pick<Login, KeysOf<Login, string>>',
  deepPartial: 'DeepPartial<Login>',
  free: "At<Login, 'name'>",
  item: 'Item<Login[]>',
  boxed: "{ in: Box<Login, 'pin'> }",
};

let project: TemporaryProject;
let entries: ReadonlyMap<string, InspectedEntry>;

beforeAll(async () => {
  project = new TemporaryProject({
    'src/tools.ts': `
import { McpService, McpTool } from '@toolwright/core';
interface Login {
  /** @sensitive @minLength 4 */
  pin: string;
  name: string;
}
type Values<T> = T[keyof T];
type At<T, K extends keyof T> = T[K];
type Inferred<T> = T extends { pin: infer P } ? { secret: P } : never;
type Whole<T> = T extends { pin: infer P } ? P : never;
type Deep<T> = T extends { login: { pin: infer P } } ? P : never;
type Branch<T> = T extends { pin: string } ? T['pin'] : never;
type KeysOf<T, V> = { [P in keyof T]: T[P] extends V ? P : never }[keyof T];
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;
type Item<T> = T extends (infer U)[] ? U : T;
interface Box<T, K extends keyof T> { it: T[K] }
@McpService()
export class Tools {
${Object.entries({ ...held, ...lost })
  .map(([name, type]) => `  @McpTool() ${name}(x: number, a: ${type}): void {}`)
  .join('\n')}
  @McpTool() result(): Values<Login> { return ''; }
}`,
  });
  const found = await inspectProject({ project: project.project, cache: false });
  entries = new Map(found.map((entry) => [entry.name, entry]));
});
afterAll(() => project.remove());

const problems = (name: string) =>
  entries.get(name)!.diagnostics.filter(({ severity }) => severity === 'error');

test.each([...Object.entries(lost), ['result', 'Values<Login>']])(
  'a limit and a mark that TypeScript leaves behind fail the build: %s, %s',
  (name) => {
    expect(problems(name)).toEqual([
      expect.objectContaining({ code: 'TW_SCHEMA_LOST_RULE', file: 'src/tools.ts' }),
    ]);
    expect(problems(name)[0]!.message).toContain('@sensitive, @minLength of pin');
  },
);

test.each(Object.entries(held))('keys, and members that keep their facts, are no loss: %s, %s', (name) => {
  expect(problems(name)).toEqual([]);
});
