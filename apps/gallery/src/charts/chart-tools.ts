import { type integer, McpService, McpTool } from '@toolwright/core';
import type { City } from '../weather/day.js';
import { WeatherArchive } from '../weather/weather-archive.js';
import { byMonth, type MonthlyWeather } from './monthly-weather.js';

export interface WeatherChart {
  city: City;
  year: integer;
  /** January to December. */
  months: MonthlyWeather[];
}

/** A chart that hosts with MCP Apps draw, and figures that all others can read. */
@McpService()
export class ChartTools {
  constructor(private readonly archive: WeatherArchive) {}

  /**
   * Chart the recorded temperatures of a year, month by month. Returns for each month the mean lowest and highest
   * temperature of a day in °C and the precipitation in mm.
   * @param city where
   * @param year from 2012 to 2015
   */
  @McpTool({
    name: 'chart_weather',
    annotations: { readOnlyHint: true, openWorldHint: false },
    ui: { view: './views/weather-chart.ts', prefersBorder: true },
  })
  async chartWeather(city: City, /** @minimum 2012 @maximum 2015 */ year: integer): Promise<WeatherChart> {
    const days = await this.archive.daysOf(city);
    return { city, year, months: byMonth(days.filter(({ date }) => date.startsWith(`${year}-`))) };
  }
}
