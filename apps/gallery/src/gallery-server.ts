import { createMcpServer, type McpServer } from '@toolwright/core';
import { COMMAND_LIMITS, defaultLimits } from './commands/command-limits.js';
import { CommandTools } from './commands/command-tools.js';
import { CsvTools } from './csv/csv-tools.js';
import { dataFolder } from './data-folder.js';
import type { Settings } from './settings.js';
import { SumTools } from './sum/sum-tools.js';
import { WeatherArchive } from './weather/weather-archive.js';
import { WeatherTools } from './weather/weather-tools.js';

/** All topics behind one endpoint. */
export function createGalleryServer({ dataFolder: folder }: Settings): Promise<McpServer> {
  return createMcpServer({
    name: 'gallery',
    title: 'Gallery',
    version: '1.0.0',
    services: [SumTools, WeatherTools, CsvTools, CommandTools],
    providers: [dataFolder(folder), WeatherArchive, { provide: COMMAND_LIMITS, useValue: defaultLimits }],
  });
}
