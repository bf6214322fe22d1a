import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { transformFileSync } from '@swc/core';

mkdirSync('dist', { recursive: true });
for (const name of readdirSync('src')) {
  const { code } = transformFileSync(`src/${name}`, {
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: false },
    },
    module: { type: 'nodenext' },
  });
  writeFileSync(`dist/${name.replace(/\.ts$/, '.js')}`, code);
}
