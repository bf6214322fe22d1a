import { inspect } from 'node:util';
import { bootForFile } from '../support/booted-sources.js';

const TOOLS = `
import { McpService, McpTool, Schema, Sensitive } from '@toolwright/core';
import { Transform } from 'class-transformer';
import { IsInt, IsString, MinLength } from 'class-validator';

export function Pin(): PropertyDecorator {
  const check = MinLength(12);
  return (target, key) => { Sensitive()(target, key); check(target, key as string); };
}
const All = (...decorators: PropertyDecorator[]): PropertyDecorator => (target, key) => decorators.forEach((each) => each(target, key));
function Secret(target: object, key: string): void { Sensitive()(target, key); }
const Hush = Sensitive();
const Hidden = (): ParameterDecorator => (target, key, index) => Sensitive()(target, key!, index);
const Even = (): PropertyDecorator => (target, key) => Schema({ multipleOf: 2 })(target, key);

export class Called { @Pin() pin!: string }
export class Listed { @All(Sensitive(), MinLength(12)) pin!: string }
export class Plain { @Secret @IsString() @MinLength(12) pin!: string }
export class Kept { @Hush @MinLength(12) pin!: string }
export class Alone { /** @minLength 12 */ @Secret pin!: string }
export class Inherited extends Called {}
export class Again extends Called { override pin!: string }
export class Sch { @Even() n!: number }
export class Both { @Even() @IsInt() n!: number }
type Ctor = new (...given: any[]) => object;
function WithPin<B extends Ctor>(Base: B): (new (...given: any[]) => { pin: string }) & B {
  class Mixed extends Base { @Sensitive() @MinLength(12) pin!: string }
  return Mixed as never;
}
function make(): new () => { pin: string } {
  class Made { @Sensitive() @MinLength(12) pin!: string }
  return Made;
}
export class Mixed extends WithPin(class {}) { @IsString() user = 'u' }
export class Made extends make() { @IsString() user = 'u' }
export class Thrown { @Sensitive() @Transform(({ value }) => { throw new TypeError('cannot read ' + value); }) pin?: string }
export class Free { @IsString() @MinLength(12) pin!: string }

@McpService() export class Tools {
  @McpTool() called(a: Called): string { return a.pin; }
  @McpTool() listed(a: Listed): string { return a.pin; }
  @McpTool() plain(a: Plain): string { return a.pin; }
  @McpTool() kept(a: Kept): string { return a.pin; }
  @McpTool() alone(a: Alone): string { return a.pin; }
  @McpTool() inherited(a: Inherited): string { return a.pin; }
  @McpTool() again(a: Again): string { return a.pin; }
  @McpTool() picked(a: Pick<Called, 'pin'>): string { return a.pin; }
  @McpTool() parameter(/** @minLength 12 */ @Hidden() pin: string): string { return pin; }
  @McpTool() mixed(a: Mixed): string { return a.pin; }
  @McpTool() made(a: Made): string { return a.pin; }
  @McpTool() thrown(a: Thrown): string { return String(a.pin); }
  @McpTool() free(a: Free): string { return a.pin; }
  @McpTool() sch(a: Sch): number { return a.n; }
  @McpTool() both(a: Both): number { return a.n; }
}`;

const logged: unknown[] = [];
const note = (...words: unknown[]) => void logged.push(...words);
const tools = bootForFile(TOOLS, { logger: { debug: note, info: note, warn: note, error: note } });

const call = async (name: string, args: object) => {
  const { result } = await tools.booted.wire.call(name, { ...args });
  return result as { isError?: boolean; content: { text: string }[] };
};

test.each(['called', 'listed', 'plain', 'kept', 'alone', 'inherited', 'again', 'parameter', 'mixed', 'made'])(
  'the mark of a decorator that applies @Sensitive holds: %s',
  async (name) => {
    const { isError, content } = await call(name, { pin: 'S3CRET' });
    expect(isError).toBe(true);
    expect(content[0]!.text).toContain('pin: expected at least 12 characters');
    expect(content[0]!.text).not.toContain('S3CRET');
  },
);

test('the mark holds in a mapped type, too', () => {
  expect(tools.booted.schemas.get('picked')!.properties!.pin).toMatchObject({ writeOnly: true });
});

test('the log has no marked value that a @Transform has thrown', async () => {
  expect((await call('thrown', { pin: 'S3CRET' })).isError).toBe(true);
  expect(inspect(logged)).toContain('cannot read [sensitive]');
  expect(inspect(logged)).not.toContain('S3CRET');
});

test('a value without a mark is shown', async () => {
  expect((await call('free', { pin: 'S3CRET' })).content[0]!.text).toContain('S3CRET');
});

test.each(['sch', 'both'])('the rule of a decorator that applies @Schema holds: %s', async (name) => {
  expect((await call(name, { n: 3 })).isError).toBe(true);
  expect((await call(name, { n: 4 })).isError).toBeUndefined();
});
