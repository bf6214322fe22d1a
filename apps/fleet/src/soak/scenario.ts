import type { Fleet, FleetOptions } from '../fleet.js';

/** One figure, and what it has to be. */
export interface Figure {
  name: string;
  value: number;
  unit?: string;
  /** Without a bound, the figure is told and not judged. */
  atMost?: number;
  atLeast?: number;
}

export interface Scenario {
  name: string;
  /** The fleet that it needs. Default: three replicas. */
  fleet?: FleetOptions;
  /** @param quick much less of it: this shows that it works, and measures nothing */
  run(fleet: Fleet, quick: boolean): Promise<Figure[]>;
}

export function isMet({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean {
  return value <= atMost && value >= atLeast;
}

export function describeFigure(figure: Figure): string {
  const { name, value, unit = '', atMost, atLeast } = figure;
  const bound = atMost === undefined ? atLeast !== undefined && `at least ${atLeast}` : `at most ${atMost}`;
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(3);
  const cells = [name.padEnd(62), `${shown} ${unit}`.trim().padEnd(16), bound || ''];
  return `  ${cells.join(' ')}${bound ? (isMet(figure) ? '  met' : '  MISSED') : ''}`.trimEnd();
}

/** The value below which such a share of all values is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
