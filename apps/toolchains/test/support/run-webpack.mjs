// `npx webpack` without the package of its command line: runs the config of the working directory.
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import webpack from 'webpack';

const { default: config } = await import(pathToFileURL(join(process.cwd(), 'webpack.config.mjs')).href);
webpack(config, (error, stats) => {
  if (error) throw error;
  if (!stats.hasErrors()) return;
  console.error(stats.toString({ preset: 'errors-only' }));
  process.exitCode = 1;
});
