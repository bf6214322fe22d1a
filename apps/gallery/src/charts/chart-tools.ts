import { type integer, McpApp, McpService, McpTool } from '@toolwright/core';
import { readPage } from '../apps/read-page.js';
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
    ui: 'ui://gallery/weather-chart',
  })
  async chartWeather(city: City, /** @minimum 2012 @maximum 2015 */ year: integer): Promise<WeatherChart> {
    const days = await this.archive.daysOf(city);
    return { city, year, months: byMonth(days.filter(({ date }) => date.startsWith(`${year}-`))) };
  }

  /** A bar for each month, from low to high. Loads nothing from anywhere. */
  @McpApp({
    uri: 'ui://gallery/weather-chart',
    name: 'weather_chart',
    title: 'Temperatures by month',
    prefersBorder: true,
    cache: { ttl: '1h', scope: 'public' },
  })
  weatherChart(): Promise<string> {
    return readPage('weather-chart');
  }
}
