import type { InlineConfig } from 'vite';

type Vite = typeof import('vite');

interface Wanted {
  /** The module that the page starts with. */
  readonly input: string;
  /** The package that has the functions which JSX becomes. */
  readonly jsx: string;
  readonly minify: boolean;
}

/** What depends on the bundler of a Vite: Rolldown in Vite 8, esbuild and Rollup before it. */
export function bundlerSettings(vite: Vite, { input, jsx, minify }: Wanted): InlineConfig {
  return isRolldown(vite)
    ? {
        oxc: { jsx: { runtime: 'automatic', importSource: jsx, development: false } },
        build: {
          minify: minify && 'oxc',
          rolldownOptions: {
            input,
            output: { format: 'es', codeSplitting: false, ...(!minify && { minify: withoutSpace }) },
          },
        },
      }
    : {
        esbuild: { jsx: 'automatic', jsxImportSource: jsx, jsxDev: false, ...(!minify && spaceAlone) },
        build: {
          minify: 'esbuild',
          rollupOptions: { input, output: { format: 'es', inlineDynamicImports: true } },
        },
      };
}

/** Only such a Vite has the functions of oxc, and reads the filters of plugins before it calls them. */
export const isRolldown = (vite: Vite) => 'rolldownVersion' in vite;

/** For pages that are made after each edit: names stay, and a page that is shorter is shown earlier. */
const withoutSpace = { mangle: false, compress: false, codegen: { removeWhitespace: true } };
const spaceAlone = { minifyWhitespace: true, minifyIdentifiers: false, minifySyntax: false };
