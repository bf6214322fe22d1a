import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as {
  version: string;
};

/** Version of this package; part of every manifest and of every cache key. */
export const COMPILER_VERSION: string = version;
