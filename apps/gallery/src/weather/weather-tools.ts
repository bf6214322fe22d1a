import { type integer, McpService, McpTool, ToolError } from '@toolwright/core';
import type { City, Day } from './day.js';
import { WeatherArchive } from './weather-archive.js';

export interface WeatherSummary {
  city: City;
  /** Days with a record. */
  days: integer;
  /** Highest temperature of the period, in °C. */
  maxTemperature: number;
  /** Lowest temperature of the period, in °C. */
  minTemperature: number;
  /** Millimetres in all. */
  precipitation: number;
  /** How many days had which weather. */
  weather: Partial<Record<Day['weather'], integer>>;
}

/** Recorded weather of two cities, from a file that is the whole truth about it. */
@McpService()
export class WeatherTools {
  constructor(private readonly archive: WeatherArchive) {}

  /**
   * Look up the recorded weather of a day from 2012 to 2015. Returns weather, temperatures in °C, precipitation in mm and
   * wind in m/s. There is no forecast.
   * @param city where
   * @param date which day
   */
  @McpTool({ name: 'get_weather', annotations: { readOnlyHint: true, openWorldHint: false } })
  async getWeather(city: City, /** @format date @examples ["2014-07-31"] */ date: string): Promise<Day> {
    const days = await this.archive.daysOf(city);
    return days.find((day) => day.date === date) ?? noRecord(date, days);
  }

  /**
   * Summarise the recorded weather of a period from 2012 to 2015. Returns the extremes of the temperature in °C, the sum
   * of the precipitation in mm, and how many days had which weather.
   * @param city where
   * @param from first day
   * @param to last day; may be the first one
   */
  @McpTool({ name: 'summarize_weather', annotations: { readOnlyHint: true, openWorldHint: false } })
  async summarizeWeather(
    city: City,
    /** @format date @examples ["2014-07-01"] */ from: string,
    /** @format date @examples ["2014-07-31"] */ to: string,
  ): Promise<WeatherSummary> {
    if (to < from)
      throw new ToolError(`"to" (${to}) is before "from" (${from}). Send the earlier day as "from".`);
    const all = await this.archive.daysOf(city);
    const days = all.filter(({ date }) => from <= date && date <= to);
    if (days.length === 0) noRecord(`${from} to ${to}`, all);
    return {
      city,
      days: days.length,
      maxTemperature: Math.max(...days.map((day) => day.maxTemperature)),
      minTemperature: Math.min(...days.map((day) => day.minTemperature)),
      precipitation: Math.round(days.reduce((sum, day) => sum + day.precipitation, 0) * 10) / 10,
      weather: countWeather(days),
    };
  }
}

function countWeather(days: readonly Day[]): WeatherSummary['weather'] {
  const counts: WeatherSummary['weather'] = {};
  for (const { weather } of days) counts[weather] = (counts[weather] ?? 0) + 1;
  return counts;
}

function noRecord(wanted: string, days: readonly Day[]): never {
  throw new ToolError(
    `There is no record of ${wanted}. Send a day from ${days[0]?.date} to ${days.at(-1)?.date}.`,
  );
}
