import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  MinLength,
  registerDecorator,
  validate,
  ValidateNested,
} from 'class-validator';
import type { DtoClass, JsonSchema } from '@toolwright/json';
import * as fc from 'fast-check';
import { PipelineFixture, textOf } from './support/pipeline-fixture.js';

class TagDto {
  @IsString() @Length(1, 5) label!: string;
  @IsOptional() @IsInt() @Min(0) weight?: number;
}

class PageDto {
  @IsString() @MinLength(2) title!: string;
  @IsInt() @Min(1) @Max(9) stars!: number;
  @IsIn(['draft', 'live']) state!: string;
  @IsOptional() @IsBoolean() pinned?: boolean;
  @IsArray() @ArrayMaxSize(3) @ValidateNested({ each: true }) @Type(() => TagDto) tags!: TagDto[];
  @Matches(/^[a-z]+$/) slug!: string;
}

/** The schema that the compiler creates for PageDto. `@IsOptional()` also accepts null. */
const pageSchema: JsonSchema = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 2 },
    stars: { type: 'integer', minimum: 1, maximum: 9 },
    state: { type: 'string', enum: ['draft', 'live'] },
    pinned: { type: ['boolean', 'null'] },
    tags: {
      type: 'array',
      maxItems: 3,
      items: {
        type: 'object',
        properties: {
          label: { type: 'string', minLength: 1, maxLength: 5 },
          weight: { type: ['integer', 'null'], minimum: 0 },
        },
        required: ['label'],
        additionalProperties: false,
      },
    },
    slug: { type: 'string', pattern: '^[a-z]+$' },
  },
  required: ['title', 'stars', 'state', 'tags', 'slug'],
  additionalProperties: false,
};

function pageTool(fixture: PipelineFixture, seen: unknown[] = []) {
  const classes: Record<string, DtoClass> = {
    Page: { constructor: PageDto, validation: 'skip' },
    Tag: { constructor: TagDto, validation: 'skip' },
  };
  return fixture.tool((page) => void seen.push(page), {
    inputSchema: pageSchema,
    target: {
      parameters: [{ name: 'page', kind: 'input' }],
      revive: {
        input: {
          '': {
            kind: 'object',
            class: 'Page',
            properties: { tags: { kind: 'array', items: { kind: 'object', class: 'Tag' } } },
          },
        },
      },
      types: { revival: () => undefined, dto: (key) => classes[key] },
    },
  });
}

const maybe = <T>(right: fc.Arbitrary<T>, ...wrong: fc.Arbitrary<unknown>[]) =>
  fc.oneof(
    { weight: 6, arbitrary: right as fc.Arbitrary<unknown> },
    ...wrong.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
const junk = fc.constantFrom<unknown>(null, 0, 1.5, -1, 10, '', 'a', 'ABC', true, [], {}, ['x'], '1', 'true');
// class-validator also searches arrays of arrays for nested objects, but the type of `tags` does not allow
// these.
const noArray = junk.filter((value) => !Array.isArray(value));
const text = fc.string({ maxLength: 7 });
const tag = fc.record(
  { label: maybe(text, junk), weight: maybe(fc.integer({ min: -1, max: 3 }), junk) },
  { requiredKeys: ['label'] },
);
const page = fc.record(
  {
    title: maybe(text, junk),
    stars: maybe(fc.integer({ min: 0, max: 10 }), junk),
    state: maybe(fc.constantFrom('draft', 'live'), junk),
    pinned: maybe(fc.boolean(), junk),
    tags: maybe(fc.array(maybe(tag, noArray), { maxLength: 4 }), junk),
    slug: maybe(fc.constantFrom('a', 'abc', 'Abc', 'a b', ''), junk),
  },
  { requiredKeys: ['title', 'stars', 'state', 'tags', 'slug'] },
);

describe('the fast path', () => {
  it('accepts and refuses the same values as plainToInstance and validate, and builds the same instances', async () => {
    const fixture = new PipelineFixture({ rateLimit: false, audit: false });
    const seen: unknown[] = [];
    const tool = pageTool(fixture, seen);
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(page, async (value) => {
        const instance = plainToInstance(PageDto, value);
        const errors = await validate(instance);
        const result = await fixture.call(tool, structuredClone(value) as Record<string, unknown>);
        expect(result.isError ?? false).toBe(errors.length > 0);
        if (errors.length > 0) return;
        accepted++;
        const built = seen.pop() as PageDto;
        expect(built).toStrictEqual(instance);
        expect(built.tags.every((each) => each instanceof TagDto)).toBe(true);
      }),
      { numRuns: 2_000, seed: 20_260_728 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it('has the same result as the full path', async () => {
    const fast = new PipelineFixture({ rateLimit: false, audit: false });
    const full = new PipelineFixture({ rateLimit: false, audit: false, input: { validation: 'always' } });
    const tools = [pageTool(fast), pageTool(full)] as const;
    await fc.assert(
      fc.asyncProperty(page, async (value) => {
        const args = value as Record<string, unknown>;
        const results = [await fast.call(tools[0], args), await full.call(tools[1], args)];
        expect(results[0]!.isError).toBe(results[1]!.isError);
      }),
      { numRuns: 300, seed: 20_260_728 },
    );
  });
});

function IsEvenLater() {
  return (target: object, propertyName: string) =>
    registerDecorator({
      target: target.constructor,
      propertyName,
      async: true,
      validator: { validate: async (value) => value % 2 === 0, defaultMessage: () => 'count must be even' },
    });
}

class LineDto {
  @Matches(/^[A-Z]+$/, { message: 'sku must be capital letters' }) sku!: string;
}

class OrderDto {
  @IsEvenLater() count!: number;
  @Transform(({ value }) => (typeof value === 'string' ? value.trim() : (value as unknown)))
  @MinLength(2)
  name!: string;
  @IsDate() @Type(() => Date) at!: Date;
  @ValidateNested({ each: true }) @Type(() => LineDto) lines!: LineDto[];
}

describe('a DTO whose schema does not express all its rules', () => {
  const seen: OrderDto[] = [];
  const fixture = new PipelineFixture();
  const tool = fixture.tool((order: OrderDto) => void seen.push(order), {
    inputSchema: { type: 'object' },
    target: {
      parameters: [{ name: 'order', kind: 'argument' }],
      revive: { input: { order: { kind: 'object', class: 'Order', properties: { at: { kind: 'date' } } } } },
      types: { revival: () => undefined, dto: () => ({ constructor: OrderDto, validation: 'full' }) },
    },
  });
  const order = { count: 2, name: ' Ann ', at: '2026-07-28T00:00:00Z', lines: [{ sku: 'A' }] };

  it('uses class-transformer and class-validator', async () => {
    expect((await fixture.call(tool, { order })).isError).toBeUndefined();
    const [built] = seen;
    expect(built).toBeInstanceOf(OrderDto);
    expect(built!.name).toBe('Ann');
    expect(built!.at).toEqual(new Date(order.at));
    expect(built!.lines[0]).toBeInstanceOf(LineDto);
  });

  it('reports all problems in the same form as the schema', async () => {
    const result = await fixture.call(tool, {
      order: { ...order, count: 3, name: 'x ', lines: [{ sku: 'A' }, { sku: 'b' }] },
    });
    expect(textOf(result).split('\n').sort()).toEqual([
      '- order.count: count must be even, received the number 3',
      '- order.lines[1].sku: sku must be capital letters, received the string "b"',
      '- order.name: name must be longer than or equal to 2 characters, received the string "x"',
      'Invalid arguments for work:',
    ]);
    expect(seen).toHaveLength(1);
  });
});
