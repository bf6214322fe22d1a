import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer, ServerOptions } from '@toolwright/core';
import type { JsonSchema } from '@toolwright/json';
import type { Manifest } from '@toolwright/manifest';
import { buildManifest, type SchemaDiagnostic } from '@toolwright/schema-compiler';
import { TemporaryPackage } from '../packages/temporary-package.js';
import { StatelessWire } from '../wire/stateless-wire.js';
import { boot } from './booting.js';

/** A server whose sources exist only as texts: compiled to a manifest, loaded and booted. */
export interface BootedSources {
  readonly server: McpServer;
  readonly wire: StatelessWire;
  readonly manifest: Manifest;
  readonly diagnostics: readonly SchemaDiagnostic[];
  /** The published input schemas by tool. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** The exports of a module. */
  load(file: string): Record<string, new () => object>;
  close(): Promise<void>;
}

/**
 * Boots a service of made-up sources, which may import what the tests of core may import.
 *
 * @param files the sources by file name; `tools.ts` exports the service `Tools`, or a list `services`
 */
export async function bootSources(
  files: Record<string, string>,
  options: Partial<ServerOptions> = {},
): Promise<BootedSources> {
  const project = new TemporaryPackage(files);
  symlinkSync(join(__dirname, '../../node_modules'), project.path('node_modules'));
  const compilerOptions = {
    target: 'ES2022',
    module: 'nodenext',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: [],
  };
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['tools.ts'] }));
  const { manifest, diagnostics } = await buildManifest({
    project: project.path('tsconfig.json'),
    cache: false,
  });
  const load = (file: string) => project.load(file) as unknown as Record<string, new () => object>;
  const { Tools, services = [Tools!] } = load('tools.ts') as {
    Tools?: new () => object;
    services?: (new () => object)[];
  };
  const server = await boot({
    services,
    manifest: () => manifest,
    rateLimit: false,
    ...options,
  });
  const wire = new StatelessWire(server);
  const close = async () => {
    await server.close(0);
    project.remove();
  };
  return { server, wire, manifest, diagnostics, schemas: await listSchemas(wire), load, close };
}

async function listSchemas(wire: StatelessWire): Promise<Map<string, JsonSchema>> {
  const schemas = new Map<string, JsonSchema>();
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
    const { result } = await wire.request('tools/list', cursor === undefined ? {} : { cursor });
    const page = result as { tools: { name: string; inputSchema: JsonSchema }[]; nextCursor?: string };
    for (const { name, inputSchema } of page.tools) schemas.set(name, inputSchema);
    cursor = page.nextCursor;
  }
  return schemas;
}

/** Boots `tools.ts` for the tests of a file. */
export function bootForFile(source: string, options: Partial<ServerOptions> = {}) {
  let booted: BootedSources;
  beforeAll(async () => {
    booted = await bootSources({ 'tools.ts': source }, options);
  }, 120_000);
  afterAll(() => booted.close());
  return {
    get booted() {
      return booted;
    },
    /** The text that a tool answers with, or `refused`. */
    async call(name: string, args: object = {}): Promise<string> {
      const { result } = await booted.wire.call(name, { ...args });
      const { isError, content } = result as { isError?: boolean; content: { text: string }[] };
      return isError ? 'refused' : content[0]!.text;
    },
  };
}
