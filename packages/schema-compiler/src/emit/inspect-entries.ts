import { inlineReferences, type JsonSchema, type Revival } from '@toolwright/manifest';
import type { CompiledProject } from '../compiled-project.js';
import type { SchemaDiagnostic } from '../diagnostics/diagnostic.js';

/** One decorated method, as `toolwright inspect --json` prints it. */
export interface InspectedEntry {
  key: string;
  name: string;
  title?: string;
  description?: string;
  /** Natural 2020-12 schema of the arguments object; its references are inlined while it stays small. */
  input: JsonSchema;
  /** Natural 2020-12 schema of the awaited result; null for none. */
  output: JsonSchema | null;
  wrap: boolean;
  stream: boolean;
  flatten: boolean;
  /** Parameters the framework supplies, in order. */
  inject: { name: string; type: string; index: number }[];
  revive: { input?: Record<string, Revival>; output?: Revival };
  diagnostics: SchemaDiagnostic[];
}

/** Every decorated method of a project, broken ones and duplicates included. */
export function inspectEntries({ operations }: CompiledProject): InspectedEntry[] {
  return operations.map(({ key, publishedName, title, description, ...operation }) => ({
    key,
    name: publishedName,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    input: inlineReferences(operation.input),
    output: operation.output && inlineReferences(operation.output),
    wrap: operation.wrap,
    stream: operation.stream,
    flatten: operation.flatten,
    inject: operation.parameters.flatMap(({ name, inject, type }, index) =>
      inject ? [{ name, type: inject === 'provider' ? (type ?? inject) : inject, index }] : [],
    ),
    revive: operation.revive,
    diagnostics: operation.diagnostics,
  }));
}
