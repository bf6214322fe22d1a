import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runToolwrightBuild, runTsc } from '../generate/build-project.js';
import { formatNumber, formatRatio, formatTable } from '../report/format.js';
import { summarize, summarizeRatio } from '../report/statistics.js';
import { editProject, generateProject } from '../schema/generate-project.js';

/** Seconds of the two commands of a build. */
interface Build {
  tsc: number;
  /** `tsc` and `toolwright build`, one after the other. */
  both: number;
}

/** What `toolwright build` adds to a build with `tsc`: of a new clone, and after one edit. */
function main(): void {
  const { values } = parseArgs({
    options: {
      tools: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '5' },
      // The file of another `tsc`, such as that of version 7.
      tsc: { type: 'string' },
    },
  });
  const project = generateProject('decorated', Number(values.tools));
  // The cache of the compiler is in the nearest folder of this name.
  const modules = join(project, 'node_modules');
  const cold: Build[] = [];
  const edited: Build[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    rmSync(modules, { recursive: true, force: true });
    mkdirSync(modules);
    cold.push(build(project, values.tsc));
    editProject(project, round);
    edited.push(build(project, values.tsc));
  }
  const row = (name: string, builds: readonly Build[]) => {
    const [both, tsc] = [builds.map((each) => each.both), builds.map((each) => each.tsc)];
    const seconds = (all: number[]) => formatNumber(summarize(all).median);
    return [name, seconds(tsc), seconds(both), formatRatio(summarizeRatio(both, tsc))];
  };
  const rows = [row('a new clone', cold), row('after one edit', edited)];
  console.log(
    formatTable([[`${values.tools} tools`, 'tsc, s', 'and toolwright build, s', 'ratio'], ...rows]),
  );
}

function build(project: string, compiler: string | undefined): Build {
  rmSync(join(project, 'dist'), { recursive: true, force: true });
  const tsc = secondsOf(() => runTsc(project, compiler));
  const ours = secondsOf(() => runToolwrightBuild(project));
  return { tsc, both: tsc + ours };
}

function secondsOf(run: () => void): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1_000;
}

main();
