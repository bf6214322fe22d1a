import { defineConfig } from 'rolldown';

/** One file for each way to write it. Only installed packages stay outside. */
export default defineConfig(
  [false, true].map((minify) => ({
    input: 'src/main.ts',
    platform: 'node',
    external: /^@toolwright\//,
    tsconfig: 'tsconfig.json',
    transform: { target: 'node20' },
    output: { file: `out/rolldown/${minify ? 'minified' : 'plain'}.mjs`, minify },
  })),
);
