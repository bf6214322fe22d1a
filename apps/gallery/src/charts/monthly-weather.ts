import type { Day } from '../weather/day.js';

/** A month as the chart draws it. */
export interface MonthlyWeather {
  /** Such as 2014-07. */
  month: string;
  /** Mean of the days' lowest temperatures, in °C. */
  low: number;
  /** Mean of the days' highest temperatures, in °C. */
  high: number;
  /** Millimetres in all. */
  precipitation: number;
}

/** Sums the days up by month, in their order; to a tenth, as they were measured. */
export function byMonth(days: readonly Day[]): MonthlyWeather[] {
  const months = new Map<string, Day[]>();
  for (const day of days) {
    const month = day.date.slice(0, 7);
    const same = months.get(month);
    if (same) same.push(day);
    else months.set(month, [day]);
  }
  return [...months].map(([month, each]) => ({
    month,
    low: toTenth(sumOf(each, 'minTemperature') / each.length),
    high: toTenth(sumOf(each, 'maxTemperature') / each.length),
    precipitation: toTenth(sumOf(each, 'precipitation')),
  }));
}

function sumOf(days: readonly Day[], what: 'minTemperature' | 'maxTemperature' | 'precipitation'): number {
  return days.reduce((sum, day) => sum + day[what], 0);
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
