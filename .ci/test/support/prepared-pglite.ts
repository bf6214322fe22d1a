import { join } from 'node:path';

interface Prepared {
  loadDataDir: Blob;
}

const shared = (globalThis as unknown as Record<symbol, (file: string) => { options: Prepared }>)[
  Symbol.for('toolwright.shared')
]!;

/** The options of a PGlite in memory that is new and empty: `new PGlite(preparedPglite())`. */
export const preparedPglite = (): Prepared => shared(join(__dirname, 'kept-pglite.cjs')).options;
