import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@toolwright/core';
import { parse } from 'csv-parse/sync';
import { exampleData } from '../example-data.js';
import type { City, Day } from './day.js';

/** A line of the file, under the names of its header. */
type Line = Record<
  'location' | 'date' | 'precipitation' | 'temp_max' | 'temp_min' | 'wind' | 'weather',
  string
>;

/** The daily records of the file `weather.csv` of vega-datasets, read at first use. */
@Injectable()
export class WeatherArchive {
  private days: Promise<readonly Day[]> | undefined;

  /** All days of a city, oldest first. */
  async daysOf(city: City): Promise<Day[]> {
    this.days ??= this.read();
    return (await this.days).filter((day) => day.city === city);
  }

  private async read(): Promise<Day[]> {
    const text = await readFile(join(exampleData(), 'weather.csv'), 'utf8');
    return parse<Line>(text, { columns: true }).map((line) => ({
      city: line.location as City,
      date: line.date,
      weather: line.weather as Day['weather'],
      precipitation: Number(line.precipitation),
      maxTemperature: Number(line.temp_max),
      minTemperature: Number(line.temp_min),
      wind: Number(line.wind),
    }));
  }
}
