import { useEntries } from '../use-entries.js';

/** Types that take a member of another type, where TypeScript keeps no trace of the member. */
const lost: Record<string, string> = {
  values: 'Values<Login>',
  twoKeys: "{ in: Box<Login, 'pin' | 'name'> }",
  listed: 'Values<Login>[]',
  inText: "`key-${Login['pin']}`",
};
/** Types behind which the member can be followed. */
const carried: Record<string, string> = {
  oneKey: "At<Login, 'pin'>",
  inferred: 'Inferred<Login>',
  inferredList: 'InferredList<Login>',
  inferredWhole: 'Whole<Login>',
  inferredDeep: 'Deep<{ login: Login }>',
  branch: 'Branch<Login>',
  alias: 'Pin',
  aliasOrNull: 'Maybe<Pin>',
  withoutUndefined: "NonNullable<Login['pin']>",
  record: "Record<string, Login['pin']>",
  recordOfNames: "Record<'a' | 'b', Pin>",
  map: 'Map<string, Pin>',
  lists: 'Record<string, Pin[]>',
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

const entries = useEntries({
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
type InferredList<T> = T extends { pin: infer P } ? { secrets: P[] } : never;
type Pin = Login['pin'];
type Maybe<T> = T | null;
type Whole<T> = T extends { pin: infer P } ? P : never;
type Deep<T> = T extends { login: { pin: infer P } } ? P : never;
type Branch<T> = T extends { pin: string } ? T['pin'] : never;
type KeysOf<T, V> = { [P in keyof T]: T[P] extends V ? P : never }[keyof T];
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;
type Item<T> = T extends (infer U)[] ? U : T;
interface Box<T, K extends keyof T> { it: T[K] }
@McpService()
export class Tools {
${Object.entries({ ...held, ...lost, ...carried })
  .map(([name, type]) => `  @McpTool() ${name}(x: number, a: ${type}): void {}`)
  .join('\n')}
${Object.entries(carried)
  .map(([name, type]) => `  @McpTool() ${name}Back(): ${type} { return null!; }`)
  .join('\n')}
  @McpTool() result(): Values<Login> { return ''; }
}`,
});

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

test.each(Object.entries(carried))('the words of a member go with its values: %s, %s', (name) => {
  expect(problems(name)).toEqual([]);
  const text = JSON.stringify(entries.get(name)!.input);
  expect(text).toMatch(/"minLength":4/);
  expect(text).toMatch(/"writeOnly":true/);
  expect(problems(`${name}Back`)).toEqual([]);
  expect(JSON.stringify(entries.get(`${name}Back`)!.output)).toMatch(/"x-sensitive":true/);
});
