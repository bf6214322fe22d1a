import { digestOfClass } from '@toolwright/json';
import { bootSources, type BootedSources } from '../support/booted-sources.js';

const DTOS = `
import { Type } from 'class-transformer';
import { Allow, ArrayMaxSize, ArrayMinSize, ArrayNotEmpty, ArrayUnique, Contains, Equals, IsAlpha, IsAlphanumeric, IsArray, IsAscii,
  IsBoolean, IsDate, IsDefined, IsEmail, IsEnum, IsHexadecimal, IsIn, IsInt, IsMongoId, IsNegative, IsNotEmpty, IsNotEmptyObject, IsNotIn,
  IsNumber, IsNumberString, IsObject, IsOptional, IsPositive, IsString, IsUUID, Length, Matches, Max, MaxLength, Min, MinLength,
  NotContains, NotEquals, ValidateNested } from 'class-validator';

type Ctor<T> = new (...args: any[]) => T;
enum Side { left = 'a', right = 'c' }

export class OpenDto {
  @IsDefined() defined: any;
  @IsNotEmpty() filled: unknown;
  @IsDefined({ each: true }) items!: any[];
}

function Page(): Ctor<{ limit?: number }> {
  class Limited { @IsInt() limit?: number; }
  return Limited;
}
export class PageDto extends Page() { @IsString() query!: string; }

export class TreeDto {
  @IsString() name!: string;
  @IsOptional() @ValidateNested() @Type(() => TreeDto) child?: TreeDto;
}

export class NoDateDto { @IsDate() day: any; }
export class TotalDto { @IsInt() one!: number; @IsPositive() get total(): number { return this.one - 10; } }
export abstract class ContactDto { @IsEmail() email!: string; }
export default class { @IsEmail() email!: string; }

/** Each check that a schema expresses exactly. */
export class PlainDto {
  @IsString() @MinLength(1) @MaxLength(9) a!: string;
  @Length(1, 9) @Matches(/^a/) @Contains('a') @NotContains('z') b!: string;
  @IsAlpha() @IsAlphanumeric() @IsAscii() @NotEquals('b') c!: string;
  @IsMongoId() @IsHexadecimal() d!: string;
  @IsUUID() e!: string;
  @IsNumberString() f!: string;
  @IsInt() @Min(1) @Max(9) @IsPositive() g!: number;
  @IsNumber() @IsNegative() h!: number;
  @IsBoolean() i!: boolean;
  @IsIn(['a', 'b']) @IsNotIn(['c']) @IsDefined() @IsNotEmpty() j!: 'a' | 'b';
  @IsEnum(Side) k!: Side;
  @Equals(3) l!: number;
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(3) @ArrayNotEmpty() @ArrayUnique() @IsInt({ each: true }) m!: number[];
  @IsObject() @IsNotEmptyObject() n!: Record<string, string>;
  @IsOptional() @Allow() o?: string;
  @IsDate() @Type(() => Date) p!: Date;
  @ValidateNested({ each: true }) @Type(() => OpenDto) q!: OpenDto[];
}`;

const NAMES = [
  'OpenDto',
  'PageDto',
  'TreeDto',
  'NoDateDto',
  'TotalDto',
  'ContactDto',
  'NamelessDto',
  'PlainDto',
];

const TOOLS = `
import { McpService, McpTool } from '@toolwright/core';
import NamelessDto, { ${NAMES.filter((name) => name !== 'NamelessDto').join(', ')} } from './dtos.js';
@McpService() export class Tools {
  ${NAMES.map((name) => `@McpTool() call${name}(dto: ${name}): void { void dto; }`).join('\n')}
}`;

let booted: BootedSources;

beforeAll(async () => {
  booted = await bootSources({ 'dtos.ts': DTOS, 'tools.ts': TOOLS });
}, 120_000);

afterAll(() => booted.close());

async function accepts(dto: string, input: object): Promise<boolean> {
  const { result } = await booted.wire.call(`call${dto}`, { ...input });
  return result.isError !== true;
}

test('@IsDefined and @IsNotEmpty refuse null also where the type is any or unknown', async () => {
  const whole = { defined: 1, filled: 'x', items: [1] };
  expect(await accepts('OpenDto', whole)).toBe(true);
  expect(await accepts('OpenDto', { ...whole, defined: null })).toBe(false);
  expect(await accepts('OpenDto', { ...whole, filled: null })).toBe(false);
  expect(await accepts('OpenDto', { ...whole, filled: '' })).toBe(false);
  expect(await accepts('OpenDto', { ...whole, items: [null] })).toBe(false);
  // Lists leave `not` out: hosts refuse schemas that have it.
  expect(booted.schemas.get('callOpenDto')!.properties).toEqual(
    expect.objectContaining({ defined: {}, filled: {} }),
  );
});

test('a base class whose type is an interface keeps its rules, and clients read them', async () => {
  expect(await accepts('PageDto', { query: 'x', limit: 1 })).toBe(true);
  expect(await accepts('PageDto', { query: 'x', limit: 1.5 })).toBe(false);
  expect(booted.schemas.get('callPageDto')!.properties).toMatchObject({ limit: { type: 'integer' } });
});

test('a class that contains itself is checked at any depth', async () => {
  expect(await accepts('TreeDto', { name: 'a', child: { name: 'b', child: { name: 'c' } } })).toBe(true);
  expect(await accepts('TreeDto', { name: 'a', child: { name: 5 } })).toBe(false);
  expect(await accepts('TreeDto', { name: 'a', child: { name: 'b', child: { name: 5 } } })).toBe(false);
  expect(await accepts('TreeDto', { name: 'a', child: [] })).toBe(false);
});

test('@IsDate refuses what is no date, also where the type is any', async () => {
  expect(await accepts('NoDateDto', { day: 'soon' })).toBe(false);
});

test('rules of getters, of abstract classes and of classes without a name are checked', async () => {
  expect(await accepts('TotalDto', { one: 11 })).toBe(true);
  expect(await accepts('TotalDto', { one: 9 })).toBe(false);
  const address = { email: `${'a'.repeat(65)}@example.com` };
  for (const dto of ['ContactDto', 'NamelessDto']) {
    expect(await accepts(dto, { email: 'a@example.com' })).toBe(true);
    expect(await accepts(dto, address)).toBe(false);
  }
});

test('a class whose rules the source shows is still checked by its schema alone', () => {
  const { validation, rules } = booted.manifest.classes['dtos.ts#PlainDto']!;
  expect(validation).toBe('skip');
  expect(rules).toBe(digestOfClass(booted.load('dtos.ts').PlainDto!));
});
