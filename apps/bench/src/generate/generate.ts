import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { appFolder, runFolder } from '../folders.js';
import { runToolwrightBuild, runTsc } from './build-project.js';
import { mcpFrameworkSource } from './mcp-framework-source.js';
import { toolwrightSource } from './toolwright-source.js';

const work = join(appFolder, 'dist', 'contestants', 'work.js');

/**
 * Writes and builds the sources of the contestants whose tools are found by a build or on disk rather than
 * registered by a loop, and returns their folder. Toolwright's go the way of any application: the TypeScript compiler
 * and `toolwright build`.
 */
function generate(tools: number): string {
  const folder = join(runFolder, `tools-${tools}`);
  writeMcpFramework(join(folder, 'mcp-framework'), { tools, progress: false });
  writeMcpFramework(join(folder, 'mcp-framework-progress'), { tools, progress: true });
  buildToolwright(join(folder, 'toolwright'), tools);
  return folder;
}

/** The same, done only when a number of tools is first asked for. */
export function generateOnce(): (tools: number) => string {
  const folders = new Map<number, string>();
  return (tools) => {
    const folder = folders.get(tools) ?? generate(tools);
    folders.set(tools, folder);
    return folder;
  };
}

function writeMcpFramework(folder: string, offer: { tools: number; progress: boolean }) {
  const manifest = { name: 'bench-mcp-framework', private: true, type: 'module' };
  writeFiles(folder, {
    'package.json': JSON.stringify(manifest),
    ...mcpFrameworkSource(offer, relative(join(folder, 'tools'), work)),
  });
}

function buildToolwright(folder: string, tools: number) {
  const source = join(folder, 'src');
  const compilerOptions = {
    rootDir: 'src',
    outDir: 'dist',
    composite: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
  };
  const tsconfig = {
    extends: relative(folder, join(appFolder, '../../tsconfig.base.json')),
    compilerOptions,
    include: ['src'],
  };
  writeFiles(folder, {
    'package.json': JSON.stringify({ name: `bench-toolwright-${tools}`, version: '1.0.0', private: true }),
    'tsconfig.json': JSON.stringify(tsconfig),
  });
  writeFiles(source, {
    ...toolwrightSource(tools, relative(source, work)),
    'page-dto.ts': readFileSync(join(appFolder, 'src', 'validation', 'page-dto.ts'), 'utf8'),
  });
  runTsc(folder);
  runToolwrightBuild(folder);
}

function writeFiles(folder: string, files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
