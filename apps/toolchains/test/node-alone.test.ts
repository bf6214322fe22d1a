import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppFolder } from './support/app-folder.js';

/** The newer Node.js of the workspace. */
const program = join(__dirname, '../../conformance-suite/node_modules/.bin/node');

const onNewerNode = existsSync(program) ? test : test.skip;

onNewerNode(
  'Node.js 24 alone does not run decorators (skipped where Node.js 24 is not installed)',
  async () => {
    const folder = new AppFolder({ tsconfig: 'tsconfig.standard.json' });
    try {
      // Nothing in it needs more than the removal of types, except the decorator.
      writeFileSync(
        folder.path('tools.ts'),
        "import { McpService } from '@toolwright/core';\n@McpService()\nexport class Tools { readonly name: string = 'x'; }\n",
      );
      await expect(folder.run({ program, words: ['tools.ts'] })).rejects.toThrow(
        /@McpService[^]*SyntaxError/,
      );
    } finally {
      folder.remove();
    }
  },
);
