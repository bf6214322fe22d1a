import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as {
  version: string;
};

/** The version of this package. It is part of every manifest and every cache key. */
export const COMPILER_VERSION: string = version;
