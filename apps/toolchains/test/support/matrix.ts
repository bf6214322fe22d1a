import { toolchains } from './toolchain.js';

/** A row of the matrix in docs/toolchains.md. */
export interface Row {
  name: string;
  decorators: string;
  settings: string;
}

/** What runs the sources of the app, or its tests. */
export const runners = {
  vitest: {
    name: 'Vitest 4',
    settings: '`experimentalDecorators`, the plug-in `@toolwright/testing/vitest`',
  },
  jest: {
    name: 'Jest 30, CommonJS, with SWC',
    settings: '`legacyDecorator`, the preset `@toolwright/testing`',
  },
  jestModules: {
    name: 'Jest 30, ES modules, with SWC',
    settings: '`legacyDecorator`, the preset, `node --experimental-vm-modules`',
  },
} as const;

/** Toolchains that have a row for each kind of decorators have the same name twice. */
export const matrix: readonly Row[] = [
  ...toolchains.map(({ name, decorators, settings }) => ({ name, decorators, settings })),
  ...Object.values(runners).map((each) => ({ ...each, decorators: 'legacy' })),
];
