import { type BootedSources, bootSources } from '../support/booted-sources.js';

/** A package as it is published: declarations without decorators, and classes whose decorators have run. */
const files = {
  'dtos/package.json': JSON.stringify({
    name: 'dtos',
    main: 'index.js',
    types: 'index.d.ts',
    peerDependencies: { 'class-validator': '*' },
  }),
  'dtos/index.d.ts': `
export declare class SensDto { pin: string; user?: string; }
export declare class Outer { inner: SensDto; }
`,
  'dtos/index.js': `
const { Sensitive } = require('@toolwright/core');
const { IsOptional, IsString, MinLength, ValidateNested } = require('class-validator');
const { Type } = require('class-transformer');
class SensDto {}
for (const mark of [Sensitive(), IsString(), MinLength(4)]) mark(SensDto.prototype, 'pin');
for (const mark of [IsOptional(), IsString()]) mark(SensDto.prototype, 'user');
class Outer {}
for (const mark of [ValidateNested(), Type(() => SensDto)]) mark(Outer.prototype, 'inner');
module.exports = { SensDto, Outer };
`,
  'marked/package.json': JSON.stringify({
    name: 'marked',
    main: 'index.js',
    types: 'index.d.ts',
    peerDependencies: { '@toolwright/core': '*' },
  }),
  'marked/index.d.ts': `
export declare class Marked { pin: string; }
export declare function Hidden(): PropertyDecorator;
`,
  'marked/index.js': `
const { Schema, Sensitive } = require('@toolwright/core');
class Marked {}
for (const mark of [Sensitive(), Schema({ minLength: 4 })]) mark(Marked.prototype, 'pin');
module.exports = { Marked, Hidden: () => Sensitive() };
`,
  'tools.ts': `
import { McpService, McpTool } from '@toolwright/core';
import { IsString } from 'class-validator';
import { Outer, SensDto } from './dtos/index.js';
import { Hidden, Marked } from './marked/index.js';
export class Hides { /** @minLength 4 */ @Hidden() pin!: string }
export class Own extends SensDto { @IsString() more!: string }
@McpService() export class Tools {
  @McpTool() itself(a: SensDto): string { return a.pin; }
  @McpTool() beside(x: number, a: SensDto): string { return a.pin; }
  @McpTool() listed(x: number, a: SensDto[]): string { return a[0]!.pin; }
  @McpTool() inside(a: Outer): string { return a.inner.pin; }
  @McpTool() marked(a: Marked): string { return a.pin; }
  @McpTool() hides(a: Hides): string { return a.pin; }
  @McpTool() own(a: Own): string { return a.pin; }
}`,
};

let booted: BootedSources;
beforeAll(async () => {
  booted = await bootSources(files);
}, 120_000);
afterAll(() => booted.close());

const call = async (name: string, args: object) => {
  const { result } = await booted.wire.call(name, { ...args });
  return result as { isError?: boolean; content: { text: string }[] };
};
const rows: [name: string, args: (pin: string) => object][] = [
  ['itself', (pin) => ({ pin })],
  ['beside', (pin) => ({ x: 1, a: { pin } })],
  ['listed', (pin) => ({ x: 1, a: [{ pin }] })],
  ['inside', (pin) => ({ inner: { pin } })],
  ['marked', (pin) => ({ pin })],
  ['hides', (pin) => ({ pin })],
  ['own', (pin) => ({ pin, more: 'm' })],
];

test.each(rows)('the mark and the limits of a class of a package hold: %s', async (name, args) => {
  const { isError, content } = await call(name, args('S3C'));
  expect(isError).toBe(true);
  expect(content[0]!.text).toMatch(/pin: expected at least 4 characters/);
  expect(content[0]!.text).not.toContain('S3C');
  expect((await call(name, args('S3CRET'))).content[0]!.text).toBe('S3CRET');
});

test.each(rows)('clients see the mark: %s', (name) => {
  expect(JSON.stringify(booted.schemas.get(name))).toContain('"writeOnly":true');
});
