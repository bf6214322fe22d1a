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
@McpService() export class Tools {
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
  ['any', { shape: { kind: 'tri' } }, 'Shape'],
])('a name that no alternative has avoids none of their rules: %s(%j) is %s', async (name, args, text) => {
  expect(await tools.call(name, args)).toBe(text);
});
