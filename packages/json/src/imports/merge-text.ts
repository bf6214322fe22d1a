import { diffIndices } from 'node-diff3';
import { joinImports } from './merge-imports.js';

export interface MergedText {
  readonly text: string;
  readonly hasConflicts: boolean;
}

/** A part of the base that one side replaced: its first line, how many lines it had, and what is there now. */
interface Hunk {
  readonly start: number;
  readonly length: number;
  readonly lines: readonly string[];
}

/**
 * Merges two texts that come from one base. Changes of different lines are both taken, also where the lines touch:
 * a tool that a person renamed keeps its name when the comment above it changes. Changes of the same lines are marked
 * as git marks them. Of an import, the names of both are taken.
 *
 * @param current what a person made of the base
 * @param next what this import makes of it
 */
export function mergeText(base: string, current: string, next: string): MergedText {
  const { texts, finish } = joinImports([base, current, next]);
  const { text, hasConflicts } = mergeLines(...texts);
  return { text: finish(text), hasConflicts };
}

function mergeLines(base: string, current: string, next: string): MergedText {
  const lines = base.split('\n');
  const [mine, theirs] = [hunksOf(lines, current.split('\n')), hunksOf(lines, next.split('\n'))];
  const merged: string[] = [];
  let hasConflicts = false;
  let at = 0;
  while (mine.length > 0 || theirs.length > 0) {
    const region = takeRegion(mine, theirs);
    merged.push(...lines.slice(at, region.start));
    at = region.end;
    const [ours, other] = [
      textOfRegion(lines, region, region.mine),
      textOfRegion(lines, region, region.theirs),
    ];
    if (region.theirs.length === 0 || sameLines(ours, other)) merged.push(...ours);
    else if (region.mine.length === 0) merged.push(...other);
    else {
      const joined = joinParts(textOfRegion(lines, region, []), ours, other);
      if (joined) {
        merged.push(...joined);
        continue;
      }
      hasConflicts = true;
      merged.push('<<<<<<< yours', ...ours, '=======', ...other, '>>>>>>> this import');
    }
  }
  merged.push(...lines.slice(at));
  return { text: merged.join('\n'), hasConflicts };
}

/** Lines in which a name is beside what an import writes anew: what is before it, the name, and what is after it. */
const NAMED = [/^([^]*\n)?( *async )(\w+)(\([^]*)$/, /^([^]*\n)?( *@McpTool\(\{ name: )('[^'\n]*')([^]*)$/];

/**
 * Joins two changes of lines with a name, if one side changed the name and the other what is beside it. A person renames a
 * method, and the comment of its first argument is in the same line.
 *
 * @returns undefined if both changed the same part
 */
function joinParts(
  base: readonly string[],
  ours: readonly string[],
  other: readonly string[],
): string[] | undefined {
  for (const form of NAMED) {
    const [before, mine, theirs] = [base, ours, other].map((lines) => form.exec(lines.join('\n'))?.slice(1));
    if (!before || !mine || !theirs) continue;
    const parts = before.map((part, index) =>
      mine[index] === part
        ? theirs[index]
        : theirs[index] === part || theirs[index] === mine[index]
          ? mine[index]
          : CLASH,
    );
    if (!parts.includes(CLASH)) return parts.join('').split('\n');
  }
  return undefined;
}

const CLASH = '\0';

function hunksOf(base: string[], side: string[]): Hunk[] {
  return diffIndices(base, side).map(({ buffer1: [start, length], buffer2Content }) => ({
    start,
    length,
    lines: buffer2Content,
  }));
}

/** At one place, an insertion is before a replacement. */
const isBefore = (one: Hunk, other: Hunk) =>
  one.start < other.start || (one.start === other.start && one.length === 0 && other.length > 0);

interface Region {
  readonly start: number;
  readonly end: number;
  readonly mine: readonly Hunk[];
  readonly theirs: readonly Hunk[];
}

/** The next hunk, with all hunks of either side that overlap with it. */
function takeRegion(mine: Hunk[], theirs: Hunk[]): Region {
  const first = [...mine.slice(0, 1), ...theirs.slice(0, 1)].reduce((one, other) =>
    isBefore(other, one) ? other : one,
  );
  const region = {
    start: first.start,
    end: first.start + first.length,
    mine: [] as Hunk[],
    theirs: [] as Hunk[],
  };
  for (let grows = true; grows;) {
    grows = false;
    for (const [side, taken] of [
      [mine, region.mine],
      [theirs, region.theirs],
    ] as const) {
      const [hunk] = side;
      if (!hunk || !(hunk === first || overlaps(hunk, region))) continue;
      taken.push(side.shift()!);
      region.end = Math.max(region.end, hunk.start + hunk.length);
      grows = true;
    }
  }
  return region;
}

/**
 * A hunk that begins after the region did. Two insertions at one place overlap, because nobody knows their order; lines that
 * touch do not.
 */
function overlaps({ start, length }: Hunk, region: { start: number; end: number }): boolean {
  if (region.start === region.end) return length === 0 && start === region.start;
  return start < region.end && (length > 0 || start > region.start);
}

function textOfRegion(base: readonly string[], { start, end }: Region, hunks: readonly Hunk[]): string[] {
  const written: string[] = [];
  let at = start;
  for (const hunk of hunks) {
    written.push(...base.slice(at, hunk.start), ...hunk.lines);
    at = hunk.start + hunk.length;
  }
  return [...written, ...base.slice(at, end)];
}

const sameLines = (one: readonly string[], other: readonly string[]) => one.join('\n') === other.join('\n');

/** Whether a person still has to decide. */
export const hasMarks = (text: string) => /^<{7} |^>{7} /m.test(text);
