import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createWatchCompiler } from '@toolwright/schema-compiler';
import { formatTable } from '../report/format.js';
import { editProject, generateProject, type Flavour } from './generate-project.js';

const COMPILERS: [name: string, flavour: Flavour][] = [
  ['toolwright', 'decorated'],
  ['toolwright (cached)', 'decorated'],
  ['typescript-json-schema', 'aliases'],
  ['ts-json-schema-generator', 'types'],
  ['tsoa', 'controllers'],
];

/** Compares the schema compilers: seconds of a whole cold process, and milliseconds of an edit in a warm one. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '10,100,1000,5000' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const rounds = Number(values.rounds);
  const rows = [['tools', ...COMPILERS.map(([name]) => `${name}, s`), 'an edit, ms']];
  for (const tools of values.sizes.split(',').map(Number)) {
    const folders = new Map(COMPILERS.map(([, flavour]) => [flavour, generateProject(flavour, tools)]));
    const times = COMPILERS.map(() => [] as number[]);
    execute('toolwright (cached)', folders.get('decorated')!, tools);
    // In turn, so that a slow spell of the machine meets all of them.
    for (let round = 0; round < rounds; round++) {
      COMPILERS.forEach(([name, flavour], index) =>
        times[index]!.push(
          times[index]!.includes(Infinity) ? Infinity : execute(name, folders.get(flavour)!, tools),
        ),
      );
    }
    const medians = times.map(median);
    const edit = await measureEdits(folders.get('decorated')!);
    const cells = medians.map((seconds) =>
      Number.isFinite(seconds)
        ? `${seconds.toFixed(2)} (${(seconds / medians[0]!).toFixed(2)}x)`
        : `> ${PATIENCE_MS / 1000}`,
    );
    rows.push([String(tools), ...cells, edit.toFixed(0)]);
  }
  console.log(formatTable(rows));
}

/** Longer is told as infinite, and not tried again. */
const PATIENCE_MS = 120_000;

/** Seconds from start to end of the process. */
function execute(compiler: string, folder: string, tools: number): number {
  const start = performance.now();
  const args = [
    '--max-old-space-size=4096',
    join(__dirname, 'schema-process.js'),
    compiler,
    folder,
    String(tools),
  ];
  const result = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (result.error) return Infinity;
  const schemas = Number(result.stdout);
  if (schemas !== tools * 2) throw new Error(`${compiler} gave ${schemas} schemas of ${tools * 2}`);
  return (performance.now() - start) / 1000;
}

async function measureEdits(folder: string): Promise<number> {
  const compiler = await createWatchCompiler({ project: join(folder, 'tsconfig.json') });
  compiler.compile();
  const times = Array.from({ length: 9 }, (_, round) => {
    const file = editProject(folder, round);
    const start = performance.now();
    compiler.compile([file]);
    return performance.now() - start;
  });
  return median(times);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

void main();
