import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolwright } from '../../../cli/test/support/recording-terminal';
import { planOperations } from '../../src/model/plan-operations';
import { contractOf } from '../../src/model/tool-contract';
import { readSpecification } from '../../src/read/read-specification';
import { writeFiles } from '../../src/write/write-files';

const root = join(__dirname, '../../../..');
const compilerOptions = {
  target: 'ES2022',
  module: 'nodenext',
  skipLibCheck: true,
  strict: true,
  rootDir: '.',
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  types: ['node'],
  paths: { '@toolwright/openapi': [join(root, 'packages/openapi/dist/index.d.ts')] },
};

/** Whether arguments are accepted: by the tool of run time, and by the tool whose code was written. */
export type BothWays = (tool: string, args: object) => [atRunTime: boolean, written: boolean];

/** Makes the tools of a specification on both ways, and judges arguments by the schemas of each. */
export async function bothWays(document: object): Promise<BothWays> {
  const plan = planOperations(await readSpecification(document), { include: ['*'] });
  const atRunTime = new Map(
    plan.operations.map((each) => [each.toolName, contractOf(each, plan).inputSchema]),
  );
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-both-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
    const project = join(folder, 'tsconfig.json');
    writeFileSync(project, JSON.stringify({ compilerOptions, include: ['api'] }));
    mkdirSync(join(folder, 'node_modules'));
    const linked = join(root, 'packages/openapi/node_modules/@toolwright');
    symlinkSync(linked, join(folder, 'node_modules/@toolwright'));
    symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
    mkdirSync(join(folder, 'api'));
    for (const [name, text] of writeFiles(plan)) writeFileSync(join(folder, 'api', name), text);
    const { stdout } = await toolwright(`inspect --json --project ${project}`);
    const found = JSON.parse(stdout) as { name: string; input: object; diagnostics: unknown[] }[];
    const written = new Map(found.map(({ name, input }) => [name, input]));
    expect(found.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    const [first, second] = [compiled(atRunTime), compiled(written)];
    return (tool, args) => [first.get(tool)!(args), second.get(tool)!(args)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compiled(schemas: ReadonlyMap<string, object>): Map<string, (args: object) => boolean> {
  const ajv = addFormats(new Ajv({ strict: false }));
  return new Map(
    [...schemas].map(([name, schema]) => [name, ajv.compile(schema) as (args: object) => boolean]),
  );
}
