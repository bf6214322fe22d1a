import type { BuildStep } from '@toolwright/core/extend';
import { tokenCounter } from '@toolwright/search/build-step';
import { declareTools } from './declarations/declare-tools.js';

/** What the build step has left in a manifest. */
export interface BuiltDeclarations {
  /** How many tokens the declaration of each tool takes (o200k), by the key of its entry. */
  readonly tokens: Readonly<Record<string, number>>;
}

/** Counts what the declarations of tools take of the description of `run_code`. */
export const buildStep: BuildStep = {
  name: '@toolwright/code',
  manifest({ root, manifest: { entries, schemas } }): BuiltDeclarations | undefined {
    const count = tokenCounter(root);
    const tools = entries.filter(({ kinds }) => kinds.includes('tool'));
    if (!count || tools.length === 0) return undefined;
    const schemaOf = (id: string | null) => (id === null ? undefined : schemas[id]);
    const tokens = tools.map(({ key, name, method, description, input, output }) => {
      const [inputSchema = {}, outputSchema] = [schemaOf(input), schemaOf(output)];
      const tool = {
        name: name ?? method,
        inputSchema,
        ...(description !== undefined && { description }),
        ...(outputSchema && { outputSchema }),
      };
      return [key, count(declareTools([tool]))] as const;
    });
    return { tokens: Object.fromEntries(tokens) };
  },
};
