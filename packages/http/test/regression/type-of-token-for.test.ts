import { compilerOptions, ProjectFolder } from '../../../cli/test/support/project-folder.js';

// An app that had no package with an extension beside core and http did not compile: compilers ignore members that are added
// to a module which nothing imports.
test('an app of core and http alone knows the type of ctx.tokenFor', () => {
  const app = new ProjectFolder();
  try {
    for (const name of ['core', 'http']) app.link(`node_modules/@toolwright/${name}`, `packages/${name}`);
    app.link('node_modules/@types/node', 'node_modules/@types/node');
    app.write('package.json', '{ "name": "app", "private": true }');
    const options = { ...compilerOptions, noEmit: true, skipLibCheck: true, types: ['node'] };
    app.write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'] }));
    app.write(
      'src/app.ts',
      `import type { ToolContext } from '@toolwright/core';
import type { TokenForOptions } from '@toolwright/http';
export const options: TokenForOptions = {};
export const ask = (ctx: ToolContext): Promise<string> => ctx.tokenFor('https://api.example.com', options);
`,
    );
    expect(app.compile()).toMatchObject({ status: 0, stdout: '' });
  } finally {
    app.remove();
  }
});
