import { countLines, type LineCount } from './count-lines.js';
import { measureStart } from './measure-start.js';
import { type Kind, sourcesOf } from './programs.js';

const ROUNDS = 21;

const kinds = ['memory', 'filesystem'] as const;

/** Prints the table of docs/reference-servers.md; with `--lines` only the counted columns, as JSON. */
async function main(): Promise<void> {
  const rows = await Promise.all(kinds.map(countedRow));
  if (process.argv.includes('--lines')) return console.log(JSON.stringify(rows));
  console.log('| Server | Lines, ours | Lines, theirs | Start, ours / theirs |');
  console.log('| ------ | ----------- | ------------- | -------------------- |');
  for (const [index, kind] of kinds.entries())
    console.log(`| ${[...rows[index]!, await compareStarts(kind)].join(' | ')} |`);
}

async function countedRow(kind: Kind): Promise<string[]> {
  const cell = ({ code, all }: LineCount) => `${code} (${all})`;
  const [ours, theirs] = [sourcesOf(kind, 'ours'), sourcesOf(kind, 'theirs')];
  return [`\`${kind}\``, cell(await countLines(ours)), cell(await countLines(theirs))];
}

/** In turn, so that the load of the machine is the same for both. The first round fills the caches of the disk. */
async function compareStarts(kind: Kind): Promise<string> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const side of ['ours', 'theirs'] as const) {
      const time = await measureStart(kind, side);
      if (round > 0) times[side].push(time);
    }
  const [ours, theirs] = [median(times.ours), median(times.theirs)];
  return `${(ours / theirs).toFixed(2)} (${ours.toFixed(0)} ms / ${theirs.toFixed(0)} ms)`;
}

function median(values: number[]): number {
  return values.sort((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

void main();
