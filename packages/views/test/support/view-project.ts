import { unlinkSync } from 'node:fs';
import { ProjectFolder, compilerOptions } from '../../../cli/test/support/project-folder.js';

const service = `import { McpService, McpTool } from '@toolwright/core';

export interface Climate {
  city: string;
  months: number[];
}

@McpService()
export class ClimateTools {
  /** Look up the climate of a city. */
  @McpTool({ annotations: { readOnlyHint: true }, ui: { view: './views/chart.tsx', prefersBorder: true } })
  climate(city: string): Climate {
    return { city, months: [4, 9, 19] };
  }

  /** List rows. */
  @McpTool({ annotations: { readOnlyHint: true } })
  rows(from: number): string[] {
    return [\`row \${from}\`];
  }
}
`;

/** A project with one tool that names a view. The view is missing. */
export class ViewProject extends ProjectFolder {
  constructor() {
    super();
    this.write(
      'package.json',
      JSON.stringify({ name: 'climate', devDependencies: { '@toolwright/views': '*' } }),
    );
    this.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions, include: ['src'], exclude: ['src/views'] }),
    );
    this.write('src/climate-tools.ts', service);
    this.install({
      '@toolwright/core': 'packages/core',
      '@toolwright/views': 'packages/views',
      '@types/node': 'node_modules/@types/node',
      // It needs a sixth of the time of TypeScript 5.9.
      typescript: 'packages/cli/node_modules/typescript-7',
      preact: 'packages/views/node_modules/preact',
      react: 'packages/views/node_modules/react',
      'react-dom': 'packages/views/node_modules/react-dom',
      '@types/react': 'packages/views/node_modules/@types/react',
      '@types/react-dom': 'packages/views/node_modules/@types/react-dom',
      vite: 'packages/views/node_modules/vite',
      uplot: 'packages/views/node_modules/uplot',
    });
  }

  /** Runs `toolwright build`. */
  buildViews(): { status: number | null; stdout: string; stderr: string } {
    const { status, stdout, stderr } = this.toolwright('build');
    // The projects have the fast TypeScript, which reads no signatures.
    return { status, stdout, stderr: stderr.replace(/^note: TypeScript .*\n/m, '') };
  }

  unlink(name: string): void {
    unlinkSync(this.path(name));
  }
}
