import { cpus, loadavg, platform, release } from 'node:os';
import { generateOnce } from './generate/generate.js';
import { chooseLoad } from './load/choose-load.js';
import { readOptions, USAGE, type Options } from './options.js';
import { estimateMinutes, planOf, type Planned } from './plan.js';
import { cleanUpAtExit } from './processes/clean-up.js';
import { splitCores } from './processes/cores.js';
import { findNodes } from './processes/node-versions.js';
import { measuredCommit, processorName } from './processes/run-conditions.js';
import { publish, writeResults } from './report/files.js';
import { barTable } from './report/bar-table.js';
import type { Results } from './report/results.js';
import { cpuTable, problems, workloadTables } from './report/tables.js';
import { installedVersions } from './report/versions.js';
import { measure } from './workloads/measure.js';

/** Runs the comparison: every workload on every Node.js, contestants in turn. */
async function main(options: Options): Promise<void> {
  const cores = splitCores();
  const load = chooseLoad(options.load);
  const nodes = findNodes(options.nodes);
  const generated = generateOnce();
  const commit = measuredCommit();

  const results: Results = {
    date: new Date().toISOString(),
    machine: {
      processor: processorName(),
      cores: cpus().length,
      platform: `${platform()} ${release()}`,
      pinned: cores.server !== undefined,
      ...(commit && { commit }),
      load: [loadavg()[0]!, loadavg()[0]!],
    },
    load: load.name,
    rounds: options.rounds,
    seconds: options.seconds,
    nodes: nodes.map(({ version }) => version),
    versions: installedVersions(options.contestants),
    measurements: [],
  };
  const plan = planOf(options);
  log(`About ${Math.ceil(estimateMinutes(plan, options, nodes.length))} minutes on an idle machine`);
  const { warmUps, rounds, seconds, sessions, streams } = options;
  for (const { version, path } of nodes) {
    for (const { workload, contestants } of plan) {
      log(`Node ${version}: ${workload.title}`);
      const place = { node: path, cores };
      const run = { node: version, place, load, warmUps, rounds, seconds, sessions, streams, generated, log };
      results.measurements.push(...(await measure(workload, contestants, run)));
      results.machine.load![1] = loadavg()[0]!;
      // Written as it grows: a run that is interrupted after an hour has not been for nothing.
      writeResults(results);
    }
  }
  report(plan, options, results);
}

function report(plan: Planned[], options: Options, results: Results): void {
  const workloads = plan.map(({ workload }) => workload);
  const failed = problems(results);
  const tables = options.quick
    ? cpuTable(workloads, results)
    : `${workloadTables(workloads, results)}\n\n${barTable(results)}`;
  process.stdout.write(`\n${tables}\n`);
  if (failed) process.stdout.write(`\nNot ranked:\n${failed}\n`);
  log(`\nWritten to ${writeResults(results)}`);
  if (options.publish) publish(workloads, results).forEach((file) => log(`Written to ${file}`));
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function run(): Promise<void> {
  const options = understand(process.argv.slice(2));
  if (!options) return;
  cleanUpAtExit();
  try {
    await main(options);
  } catch (error) {
    log(messageOf(error));
    process.exitCode = 1;
  }
}

function understand(args: string[]): Options | undefined {
  try {
    return readOptions(args);
  } catch (error) {
    log(`${messageOf(error)}\n\n${USAGE}`);
    process.exitCode = 2;
    return undefined;
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

void run();
