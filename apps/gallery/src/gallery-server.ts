import { createMcpServer, type McpServer } from '@toolwright/core';
import { COMMAND_LIMITS, defaultLimits } from './commands/command-limits.js';
import { CommandTools } from './commands/command-tools.js';
import { CsvTools } from './csv/csv-tools.js';
import { dataFolder } from './data-folder.js';
import { GithubClient } from './github/github-client.js';
import { GithubTools } from './github/github-tools.js';
import type { Settings } from './settings.js';
import { SumTools } from './sum/sum-tools.js';
import { WeatherArchive } from './weather/weather-archive.js';
import { WeatherTools } from './weather/weather-tools.js';

/** All topics behind one endpoint. */
export function createGalleryServer({ dataFolder: folder, github }: Settings): Promise<McpServer> {
  return createMcpServer({
    name: 'gallery',
    title: 'Gallery',
    version: '1.0.0',
    services: [SumTools, WeatherTools, CsvTools, CommandTools, ...(github ? [GithubTools] : [])],
    providers: [
      dataFolder(folder),
      WeatherArchive,
      { provide: COMMAND_LIMITS, useValue: defaultLimits },
      ...(github ? [{ provide: GithubClient, useFactory: () => new GithubClient(github) }] : []),
    ],
  });
}
