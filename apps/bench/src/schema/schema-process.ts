import { join } from 'node:path';
import { aliasNames } from './generate-project.js';

/**
 * One cold compilation in a process of its own: `node schema-process.js <compiler> <folder> <tools>` compiles and
 * prints how many schemas came out.
 */
const compilers: Record<string, (folder: string, tools: number) => Promise<number>> = {
  async toolwright(folder) {
    const { buildManifest } = await import('@toolwright/schema-compiler');
    const { manifest } = await buildManifest({ project: join(folder, 'tsconfig.json'), cache: false });
    return manifest.entries.length * 2;
  },

  async 'toolwright (cached)'(folder) {
    const { buildManifest } = await import('@toolwright/schema-compiler');
    const { manifest } = await buildManifest({ project: join(folder, 'tsconfig.json') });
    return manifest.entries.length * 2;
  },

  async 'typescript-json-schema'(folder, tools) {
    const TJS = await import('typescript-json-schema');
    const program = TJS.programFromConfig(join(folder, 'tsconfig.json'));
    const generator = TJS.buildGenerator(program, {
      required: true,
      strictNullChecks: true,
      ignoreErrors: true,
    });
    return aliasNames(tools).map((name) => generator!.getSchemaForSymbol(name)).length;
  },

  async 'ts-json-schema-generator'(folder, tools) {
    const { createGenerator } = await import('ts-json-schema-generator');
    const tsconfig = join(folder, 'tsconfig.json');
    const generator = createGenerator({ path: join(folder, 'src/*.ts'), tsconfig, skipTypeCheck: true });
    return aliasNames(tools).map((name) => generator.createSchema(name)).length;
  },

  async tsoa(folder, tools) {
    const { generateSpec } = await import('tsoa');
    await generateSpec({
      entryFile: join(folder, 'src/file0.ts'),
      controllerPathGlobs: [join(folder, 'src/*.ts')],
      noImplicitAdditionalProperties: 'throw-on-extras',
      outputDirectory: folder,
      specVersion: 3,
      name: 'bench',
      version: '1.0.0',
    } as never);
    return tools * 2;
  },
};

async function main([compiler = '', folder = '', tools = '0']: string[]): Promise<void> {
  const compile = compilers[compiler];
  if (!compile)
    throw new Error(`unknown compiler "${compiler}"; known: ${Object.keys(compilers).join(', ')}`);
  console.log(await compile(folder, Number(tools)));
}

void main(process.argv.slice(2));
