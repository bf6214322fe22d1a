import { bootForFile } from '../support/booted-sources.js';

const TOOLS = `
import { McpService, McpTool } from '@toolwright/core';
import { IsEnum, IsIn, IsNotIn, IsOptional } from 'class-validator';

enum Level { Low, High = 5, Below = -2 }
enum State { 'in-progress' = 'ip', 'done.' = 'd', open = 'o' }
enum State { closed = 'c' }
const enum Hidden { A = 'a', B = 'b' }
enum Flags { R = 1 << 0, W = 1 << 1, RW = R | W }
enum Computed { A = 'x'.length, B = 4 }
enum Helped { one = 'o' }
namespace Helped { export const two = 'extra'; }
enum Plain { a = 'A', b = \`B\` }

export class Task {
  @IsIn(Object.keys(State)) state!: string;
  @IsIn(Object.values(State)) @IsOptional() value?: string;
  @IsEnum(State) @IsOptional() any?: State;
  @IsNotIn(Object.keys(State)) @IsOptional() not?: string;
  @IsIn([State['in-progress'], State.closed]) @IsOptional() pick?: State;
  @IsEnum(Level) @IsOptional() level?: Level;
  @IsIn(Object.values(Level)) @IsOptional() rank?: Level;
  @IsIn([Level[Level.High], Level[0]]) @IsOptional() name?: string;
  @IsIn([Flags.RW, Flags.R]) @IsOptional() flags?: number;
  @IsIn(Object.values(Computed)) @IsOptional() computed?: number | string;
  @IsEnum(Helped) @IsOptional() helped?: string;
  @IsIn(Object.keys(Plain)) @IsOptional() plain?: keyof typeof Plain;
}
@McpService() export class Tools {
  @McpTool() save(task: Task): string { return task.state; }
  @McpTool() plain(level: Level, state: State = State['in-progress'], hidden: Hidden = Hidden.B, key: keyof typeof State = 'done.', closed = State.closed, computed = Computed.A, named = Level[5], first = Object.keys(State)[0]): string {
    return [level, state, hidden, key, closed, computed, named, first].join();
  }
}`;

const tools = bootForFile(TOOLS);
const { call } = tools;

test.each([
  { state: 'in-progress' },
  { state: 'done.' },
  { state: 'closed' },
  { value: 'c' },
  { any: 'c' },
  { any: 'ip' },
  { not: 'ip' },
  { pick: 'c' },
  { level: -2 },
  { rank: 0 },
  { name: 'High' },
  { flags: 3 },
  { computed: 1 },
  { computed: 'A' },
  { helped: 'extra' },
  { plain: 'b' },
])('a value of an enum is accepted: %j', async (args) => {
  expect(await call('save', { state: 'open', ...args })).not.toBe('refused');
});

test.each([
  { state: "'in-progress'" },
  { state: 'ip' },
  { value: 'closed' },
  { any: 'closed' },
  { not: 'in-progress' },
  { pick: 'd' },
  { level: 1 },
  { level: 'High' },
  { rank: 'Low' },
  { name: 'Below' },
  { flags: 2 },
  { computed: 2 },
  { computed: 'x' },
  { helped: 'one' },
  { plain: 'B' },
])('another value is refused: %j', async (args) => {
  expect(await call('save', { state: 'open', ...args })).toBe('refused');
});

test('members of enums are defaults, whatever their names and wherever they are declared', async () => {
  expect(await call('plain', { level: 0 })).toBe('0,ip,b,done.,c,1,High,in-progress');
  const { properties } = tools.booted.schemas.get('plain')!;
  const defaults = Object.entries(properties!).map(([name, schema]) => [name, schema.default]);
  expect(Object.fromEntries(defaults)).toEqual({
    level: undefined,
    computed: undefined,
    state: 'ip',
    hidden: 'b',
    key: 'done.',
    closed: 'c',
    named: 'High',
    first: 'in-progress',
  });
  expect(properties!.level!.enum).toEqual([0, 5, -2]);
  expect(properties!.computed).toEqual({ type: 'number' });
  expect(await call('plain', { level: 0, closed: 'c', computed: 9 })).toContain('c,9');
  expect(properties!.key!.enum).toEqual(['in-progress', 'done.', 'open', 'closed']);
});
