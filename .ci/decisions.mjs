// Writes docs/adr/README.md, the index of decisions by topic, from the lines `Topic:` and `Status:` of each page:
//   node .ci/decisions.mjs             writes the index
//   node .ci/decisions.mjs --check     fails while it is out of date
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../docs/adr');
const index = join(folder, 'README.md');

const text = indexOf(
  readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .sort()
    .map(readDecision),
);
if (!process.argv.includes('--check')) writeFileSync(index, text);
else if (readFileSync(index, 'utf8') !== text) {
  console.error('docs/adr/README.md is out of date. Write it again: pnpm decisions');
  process.exit(1);
}

function readDecision(file) {
  const page = readFileSync(join(folder, file), 'utf8');
  const [, number, title] = /^# (\d+)\. (.+)$/m.exec(page) ?? [];
  const topic = /^Topic: (.+)$/m.exec(page)?.[1];
  // A status may take several lines. It ends at an empty one.
  const status = /^Status: ([^]+?)\n\n/m.exec(page)?.[1].replaceAll('\n', ' ');
  if (!title || !topic || !status || Number(number) !== Number(file.slice(0, 4)))
    throw new Error(
      `docs/adr/${file} needs its first lines in this form: "# ${Number(file.slice(0, 4))}. A title", "Topic: Schemas", "Status: accepted", with empty lines between them.`,
    );
  const [, inPart = '', successor] =
    /^(?:accepted, (in part) )?superseded by (\[[^\]]+\]\([^)]+\))/.exec(status) ?? [];
  const note = successor ? ` (${`${inPart} superseded by`.trim()} ${successor})` : '';
  return { topic, line: `- ${number}: [${title}](${basename(file)})${note}` };
}

function indexOf(decisions) {
  const topics = [...new Set(decisions.map(({ topic }) => topic))].sort();
  const lists = topics.map((each) => {
    const lines = decisions.filter(({ topic }) => topic === each).map(({ line }) => line);
    return `## ${each}\n\n${lines.join('\n')}\n`;
  });
  return `# Decisions

<!-- Written by .ci/decisions.mjs. Do not edit: run pnpm decisions. -->

These pages explain decisions that people will ask about more than once. Each page says what we decided, why, and what
else we considered. To change a decision, add a page that links to the old one, and let the \`Status:\` line of the old one
link to it. The laboratory notes of the benchmarks are in [apps/bench/notes](../../apps/bench/notes/first-round.md).

${lists.join('\n')}`;
}
