import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { stderrLogger } from '@toolwright/core/ports';
import { ChartTools } from './charts/chart-tools.js';
import { COMMAND_LIMITS, defaultLimits } from './commands/command-limits.js';
import { CommandTools } from './commands/command-tools.js';
import { TransferTools } from './confirmation/transfer-tools.js';
import { CsvTools } from './csv/csv-tools.js';
import { openDatabase } from './database/database.js';
import { DATABASE, ImportTools } from './database/import-tools.js';
import { loadCsv } from './database/load-csv.js';
import { TableTools } from './database/table-tools.js';
import { dataFolder } from './data-folder.js';
import { exampleData } from './example-data.js';
import { GithubClient } from './github/github-client.js';
import { GithubTools } from './github/github-tools.js';
import { LearningMedia } from './learning/learning-media.js';
import { LearningTools } from './learning/learning-tools.js';
import { providers as libraryProviders, services as libraryServices } from './library/index.js';
import { ChecksumTools } from './long-job/checksum-tools.js';
import { PluginFolder } from './plugins/plugin-folder.js';
import { PluginTools } from './plugins/plugin-tools.js';
import type { Settings } from './settings.js';
import { SumTools } from './sum/sum-tools.js';
import { FeatureSwitches } from './switches/feature-switches.js';
import { isOffered } from './switches/is-offered.js';
import { ReportTools } from './switches/report-tools.js';
import { WeatherTools } from './weather/weather-tools.js';
import { providers as workshopProviders, services as workshopServices } from './workshop/index.js';

/** All topics behind one endpoint. */
export async function createGalleryServer({
  dataFolder: folder,
  pluginFolder,
  auditFile,
  github,
  library,
  workshop,
}: Settings): Promise<McpServer> {
  const database = await openDatabase();
  await loadCsv(await open(join(exampleData(), 'weather.csv')), 'weather', database);
  const logger = stderrLogger();
  const plugins = new PluginFolder(pluginFolder, logger);
  const switches = new FeatureSwitches();
  const server = await createMcpServer({
    name: 'gallery',
    about: { title: 'Gallery' },
    version: '1.0.0',
    services: [
      SumTools,
      WeatherTools,
      ChartTools,
      CsvTools,
      CommandTools,
      ImportTools,
      ReportTools,
      TransferTools,
      LearningTools,
      LearningMedia,
      ChecksumTools,
      PluginTools,
      ...(github ? [GithubTools] : []),
      ...(library ? libraryServices : []),
      ...(workshop ? workshopServices : []),
    ],
    providers: [
      dataFolder(folder),
      { provide: PluginFolder, useValue: plugins },
      { provide: FeatureSwitches, useValue: switches },
      { provide: COMMAND_LIMITS, useValue: defaultLimits },
      // A factory, so that the container closes the database when the server closes.
      { provide: DATABASE, useFactory: () => database },
      ...(library ? libraryProviders : []),
      ...(workshop ? workshopProviders : []),
      ...(github ? [{ provide: GithubClient, useFactory: () => new GithubClient(github) }] : []),
    ],
    audit: auditFile ? { file: auditFile } : false,
    authorize: isOffered(switches),
    logger,
  });
  switches.onChange(() => server.tools.announceChange());
  await new TableTools(server, database, logger).start();
  await plugins.reload(server);
  return server;
}
