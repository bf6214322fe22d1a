import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { appFolder, outputFolder } from '../folders.js';

/**
 * How the same signatures are written down for each compiler: decorated classes; the same with an alias for each input
 * and output, for compilers that know types alone; the plain types, for one that cannot see through such an alias;
 * controllers of an HTTP interface.
 */
export type Flavour = 'decorated' | 'aliases' | 'types' | 'controllers';

const PER_FILE = 10;

/**
 * Writes a project with `tools` signatures, ten in a file: half of them take a DTO and give an object, half take
 * loose parameters and give a list, all with doc comments and constraints.
 *
 * @returns its folder
 */
export function generateProject(flavour: Flavour, tools: number): string {
  const folder = join(outputFolder, 'schema', `${flavour}-${tools}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'src'), { recursive: true });
  const extend = relative(folder, join(appFolder, '../../tsconfig.base.json'));
  const compilerOptions = { rootDir: 'src', outDir: 'dist', composite: false, sourceMap: false };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: extend, compilerOptions, include: ['src'] }),
  );
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: `bench-${flavour}-${tools}`, private: true }),
  );
  writeFileSync(join(folder, 'src', 'shared.ts'), SHARED);
  for (let file = 0; file * PER_FILE < tools; file++) {
    writeFileSync(
      join(folder, 'src', `file${file}.ts`),
      source(flavour, file, Math.min(PER_FILE, tools - file * PER_FILE)),
    );
  }
  return folder;
}

/**
 * Edits one file of a decorated project: a default gets another value in each round.
 *
 * @returns the file
 */
export function editProject(folder: string, round: number): string {
  const file = join(folder, 'src', 'file0.ts');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/limit = \d+/, `limit = ${20 + round}`));
  return file;
}

/** Names of the root types of the `aliases` flavour. */
export function aliasNames(tools: number): string[] {
  return Array.from({ length: tools }, (_, index) => {
    const id = `${Math.floor(index / PER_FILE)}_${index % PER_FILE}`;
    return [`Input${id}`, `Output${id}`];
  }).flat();
}

const SHARED = `
export interface Address { street: string; zip?: string }
export enum Kind { Note = 'note', Task = 'task' }
`;

const IMPORTS: Record<Flavour, string> = {
  decorated: `import { McpService, McpTool } from '@toolwright/core';`,
  aliases: `import { McpService, McpTool } from '@toolwright/core';`,
  types: '',
  controllers: `import { Body, Controller, Post, Route } from 'tsoa';`,
};

function source(flavour: Flavour, file: number, count: number): string {
  const ids = Array.from({ length: count }, (_, tool) => `${file}_${tool}`);
  const types = ids.map(typesOf).join('\n');
  return `${IMPORTS[flavour]}\nimport { Kind, type Address } from './shared.js';\n${types}\n${BODIES[flavour](file, ids)}`;
}

function typesOf(id: string): string {
  return `
export interface Result${id} { id: string; size: number; at: Date; tags: string[]; address?: Address; kind: Kind }
export class Dto${id} {
  /**
   * What it is called.
   * @minLength 1
   */
  title!: string;
  /** @minimum 0 */
  size: number = 3;
  address?: Address;
  tags: string[] = [];
}
export interface Loose${id} {
  /** words to look for */
  query: string;
  /** @minimum 1 @maximum 100 */
  limit?: number;
  kind?: Kind;
  address?: Address;
}`;
}

const takesDto = (id: string) => id.charCodeAt(id.length - 1) % 2 === 1;

const BODIES: Record<Flavour, (file: number, ids: string[]) => string> = {
  decorated: (file, ids) =>
    `@McpService()\nexport class Tools${file} {\n${ids.map(decorated).join('\n')}\n}\n`,
  aliases: (file, ids) => `${BODIES.decorated(file, ids)}${ids.map((id) => aliases(file, id)).join('\n')}\n`,
  types: (_file, ids) => ids.map(types).join('\n'),
  controllers: (file, ids) =>
    `@Route('file${file}')\nexport class Tools${file} extends Controller {\n${ids.map(endpoint).join('\n')}\n}\n`,
};

function decorated(id: string): string {
  if (takesDto(id))
    return `  /** Make ${id}. */\n  @McpTool()\n  tool${id}(dto: Dto${id}): Promise<Result${id}> { throw dto; }`;
  return `  /**
   * Find ${id}.
   * @param query words to look for
   */
  @McpTool()
  tool${id}(query: string, /** @minimum 1 @maximum 100 */ limit = 10, kind?: Kind, address?: Address): Promise<Result${id}[]> {
    throw [query, limit, kind, address];
  }`;
}

/** What these compilers need to be told of the same class: they know types by name, and no methods. */
function aliases(file: number, id: string): string {
  const method = `Tools${file}['tool${id}']`;
  const at = (index: number) => `Parameters<${method}>[${index}]`;
  const input = takesDto(id)
    ? at(0)
    : `{ query: ${at(0)}; limit?: ${at(1)}; kind?: ${at(2)}; address?: ${at(3)} }`;
  return `export type Input${id} = ${input};\nexport type Output${id} = Awaited<ReturnType<${method}>>;`;
}

function types(id: string): string {
  const input = takesDto(id) ? `Dto${id}` : `Loose${id}`;
  const output = takesDto(id) ? `Result${id}` : `Result${id}[]`;
  return `export type Input${id} = ${input};\nexport type Output${id} = ${output};`;
}

function endpoint(id: string): string {
  const input = takesDto(id) ? `Dto${id}` : `Loose${id}`;
  const output = takesDto(id) ? `Result${id}` : `Result${id}[]`;
  return `  /** Call ${id}. */\n  @Post('tool${id}')\n  public async tool${id}(@Body() body: ${input}): Promise<${output}> { throw body; }`;
}
