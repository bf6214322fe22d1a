import { count, visible } from '@toolwright/operate/terminal';
import type { Impact, ToolChange } from './change.js';

/** A comment of GitHub may have 65,536 characters. What does not fit is counted. */
const MOST = 60_000;

const SECTIONS: readonly (readonly [Impact, title: string])[] = [
  ['breaking', 'Breaks callers'],
  ['budget', 'Over a budget of tokens'],
  ['notable', 'Models read something else'],
  ['compatible', 'Breaks nobody'],
];

/** Whom a change breaks, by the place of the change. The first that fits counts. */
const BROKEN: readonly (readonly [place: RegExp, whom: string])[] = [
  [/^\/for/, 'callers whom the function no longer lets in'],
  [/^\/scopes/, 'callers whose token lacks the scope'],
  [/^\/input/, 'callers that send such arguments: models with an older list, scripts, saved prompts'],
  [/^\/output/, 'programs that read the result'],
  [/^\/annotations/, 'clients that trusted the hint, such as to run the tool without a question'],
  [/^\/arguments/, 'people and clients that fill in the prompt'],
  [/^\/mimeType/, 'clients that read the content by its type'],
];

/**
 * The changes as Markdown for a pull request: first what breaks whom, then what fails for another reason, then the rest. Texts
 * of servers and schemas are in code, so that they can mention nobody, hide nothing and format nothing.
 */
export function markdownReport(
  changes: readonly ToolChange[],
  { lock, notLookedAt = [] }: { lock: string; notLookedAt?: readonly string[] | undefined },
): string {
  const of = (impact: Impact) => changes.filter((each) => each.impact === impact);
  const broken = of('breaking');
  const tools = new Set(broken.map(({ tool }) => tool)).size;
  const verdict =
    changes.length === 0
      ? `No changes since ${code(lock)} was written.`
      : broken.length === 0
        ? `${count(changes.length, 'change')} since ${code(lock)} was written. None breaks callers.`
        : `**${count(broken.length, 'change breaks', 'changes break')} callers** of ${count(tools, 'operation')}.`;
  const pieces = [`## The contract of the tools\n\n${verdict}\n`];
  let left = MOST - 4_000;
  for (const [impact, title] of SECTIONS) {
    const found = of(impact);
    if (found.length === 0) continue;
    const items = found.map(item);
    const fit = fitting(items, left);
    left -= fit.reduce((sum, text) => sum + text.length, 0);
    const more = items.length > fit.length ? `\n- … and ${items.length - fit.length} more\n` : '';
    const body = `${fit.join('\n')}${more}`;
    pieces.push(
      impact === 'compatible'
        ? `<details><summary>${title} (${found.length})</summary>\n\n${body}\n</details>\n`
        : `### ${title} (${found.length})\n\n${body}`,
    );
  }
  if (notLookedAt.length > 0) {
    const items = notLookedAt.map((text) => `- ${code(text)}`);
    const fit = fitting(items, 3_000);
    const more = items.length > fit.length ? `\n- … and ${items.length - fit.length} more` : '';
    pieces.push(`### Not looked at (${items.length})\n\n${fit.join('\n')}${more}\n`);
  }
  return pieces.join('\n');
}

/** As many as fit. */
function fitting(items: readonly string[], room: number): string[] {
  let used = 0;
  return items.filter((text) => (used += text.length + 1) <= room);
}

function item({ impact, tool, path, message, before, after }: ToolChange): string {
  const [, whom = 'everybody who uses it'] = BROKEN.find(([place]) => place.test(path)) ?? [];
  const place = path === '' ? '' : ` at ${code(path)}`;
  const lines = [`- ${code(tool)}${place}: ${code(message)}`];
  if (impact === 'breaking') lines.push(`  Breaks ${whom}.`);
  const words = [...wordsOf(before, '-'), ...wordsOf(after, '+')];
  if (words.length > 0) {
    const fence = '`'.repeat(Math.max(3, longestRun(words.join('\n')) + 1));
    lines.push('', ...[`${fence}diff`, ...words, fence].map((line) => `  ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

const wordsOf = (text: string | undefined, sign: string) =>
  text ? text.split(/\r?\n/).map((line) => `${sign} ${visible(line)}`) : [];

/** A span of code in one line. Within it, Markdown reads nothing. */
function code(text: string): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  const fence = '`'.repeat(longestRun(line) + 1);
  // Blanks keep a backtick at an end apart from the fence.
  return /^`|`$/.test(line) || line === '' ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

const longestRun = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
