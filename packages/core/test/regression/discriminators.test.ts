import { bootForFile } from '../support/booted-sources.js';

const tools = bootForFile(`
import { McpService, McpTool } from '@toolwright/core';
import { Type } from 'class-transformer';
import { IsNumber, IsString, Min, ValidateBy, ValidateNested } from 'class-validator';
const IsOk = (): PropertyDecorator => ValidateBy({ name: 'isOk', validator: { validate: (value) => value === 'ok' } });
export class Shape { @IsString() kind!: string }
export class Circle extends Shape { @IsNumber() @Min(1) r!: number; @IsOk() code!: string }
export class Square extends Shape { @IsNumber() side!: number }
const subTypes = [{ value: Circle, name: 'circle' }, { value: Square, name: 'square' }];
export class Draw {
  @ValidateNested()
  @Type(() => Shape, { discriminator: { property: 'kind', subTypes: [{ value: Circle, name: 'circle' }, { value: Square, name: 'square' }] }, keepDiscriminatorProperty: true })
  shape!: Circle | Square;
}
export class DrawAll {
  @ValidateNested({ each: true })
  @Type(() => Shape, { discriminator: { property: 'kind', subTypes }, keepDiscriminatorProperty: true })
  shapes!: (Circle | Square)[];
}
export class Bare {}
export class C2 { @IsNumber() @Min(1) r!: number; @IsOk() code!: string }
export class S2 { @IsNumber() side!: number }
export class DrawBare {
  @ValidateNested()
  @Type(() => Bare, { discriminator: { property: 'type', subTypes: [{ value: C2, name: 'circle' }, { value: S2, name: 'square' }] } })
  shape!: C2 | S2;
}
export class DrawAny {
  @ValidateNested()
  @Type(() => Shape, { discriminator: { property: 'kind', subTypes }, keepDiscriminatorProperty: true })
  shape!: Shape;
}
export class Dog { @IsString() sort!: string; @IsString() name!: string }
export class Cat { @IsString() sort!: string; @IsString() name!: string }
export class Pet { @IsString() sort!: string }
const pets = { property: 'sort', subTypes: [{ value: Dog, name: 'dog' }, { value: Cat, name: 'cat' }] };
export class Home {
  @ValidateNested() @Type(() => Pet, { discriminator: pets }) pet!: Dog | Cat;
  @ValidateNested() @Type(() => Pet, { discriminator: pets }) only?: Dog;
  @ValidateNested() @Type(() => Pet, { discriminator: { property: 'sort', subTypes: names() } }) late?: Dog;
}
function names() { return [{ value: Dog, name: 'dog' }]; }
export abstract class Part { @IsString() kind!: string }
export class Leaf extends Part { declare kind: 'leaf'; @IsNumber() size!: number }
export class Group extends Part {
  @ValidateNested({ each: true })
  @Type(() => Part, { discriminator: { property: 'kind', subTypes: [{ value: Group, name: 'group' }, { value: Leaf, name: 'leaf' }] } })
  parts!: (Group | Leaf)[];
}
export class Odd {
  @ValidateNested() @Type(() => Part, { discriminator: { property: 'kind', subTypes: [{ value: Leaf, name: 'Leaf' }] } }) part!: Leaf;
}
@McpService() export class Tools {
  @McpTool() home(a: Home): string { return [a.pet, a.only].map((each) => each && each.constructor.name + ' ' + each.sort).join(); }
  @McpTool() tree(a: Group): string { return a.parts.map((each) => each.constructor.name).join(); }
  @McpTool() odd(a: Odd): string { return a.part.constructor.name; }
  @McpTool() draw(a: Draw): string { return a.shape.constructor.name; }
  @McpTool() all(a: DrawAll): string { return a.shapes.map((each) => each.constructor.name).join(); }
  @McpTool() bare(a: DrawBare): string { return a.shape.constructor.name; }
  @McpTool() any(a: DrawAny): string { return a.shape.constructor.name; }
}`);

const circle = { kind: 'circle', r: 1, code: 'ok' };

test.each([
  ['draw', { shape: circle }, 'Circle'],
  ['draw', { shape: { kind: 'square', side: 2 } }, 'Square'],
  ['draw', { shape: { ...circle, code: 'no' } }, 'refused'],
  ['draw', { shape: { ...circle, kind: 'tri' } }, 'refused'],
  ['draw', { shape: { ...circle, kind: 'tri', code: 'no' } }, 'refused'],
  ['draw', { shape: { ...circle, kind: 'square' } }, 'refused'],
  ['all', { shapes: [circle, { kind: 'square', side: 2 }] }, 'Circle,Square'],
  ['all', { shapes: [circle, { kind: 'tri', r: 1, code: 'no' }] }, 'refused'],
  ['bare', { shape: { r: 1, code: 'no' } }, 'refused'],
  ['bare', { shape: { type: 'circle', r: 1, code: 'ok' } }, 'C2'],
  ['bare', { shape: { type: 'circle', r: 1, code: 'no' } }, 'refused'],
  ['bare', { shape: { type: 'tri', r: 1, code: 'ok' } }, 'refused'],
  ['home', { pet: { sort: 'cat', name: 'a' } }, 'Cat cat,'],
  ['home', { pet: { sort: 'dog', name: 'a' }, only: { sort: 'dog', name: 'b' } }, 'Dog dog,Dog dog'],
  ['home', { pet: { sort: 'dog', name: 'a' }, only: { sort: 'cat', name: 'b' } }, 'refused'],
  ['home', { pet: { sort: 'cow', name: 'a' } }, 'refused'],
  ['tree', { kind: 'group', parts: [{ kind: 'group', parts: [{ kind: 'leaf', size: 1 }] }] }, 'Group'],
  ['tree', { kind: 'group', parts: [{ kind: 'other', parts: [] }] }, 'refused'],
  ['any', { shape: { kind: 'tri' } }, 'Shape'],
])('a name that no alternative has avoids none of their rules: %s(%j) is %s', async (name, args, text) => {
  expect(await tools.call(name, args)).toBe(text);
});

const text = (name: string) => JSON.stringify(tools.booted.schemas.get(name));

test('the names of the classes are published', () => {
  for (const name of ['draw', 'all', 'bare'])
    expect(text(name)).toMatch(/"const":"circle".*"const":"square"/);
  expect(text('home')).toMatch(/"const":"dog".*"const":"cat".*"const":"dog"/);
  expect(text('tree')).toMatch(/"const":"group".*"const":"leaf"/);
});

test('the build names what does not fit the declared type', () => {
  const found = tools.booted.diagnostics.filter(({ code }) => code === 'TW_SCHEMA_DISCRIMINATOR');
  expect(found.map(({ message }) => message.replace(/ Write constant.*/, ''))).toEqual([
    'a.only: The declared type does not have Cat, the class of "cat".',
    'a.late: The names of its classes are known only at run time.',
    'a.part: The type of kind does not have the name "Leaf".',
    'a.shape: The declared type does not have Circle, the class of "circle".',
    'a.shape: The declared type does not have Square, the class of "square".',
  ]);
});
