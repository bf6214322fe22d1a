import { join } from 'node:path';
import type { ts } from 'typescript-json-schema';
import type { Project } from '../program/open-project.js';
import { takeFingerprint, type Fingerprint } from './fingerprint.js';

/** The fingerprint of everything that went into compiling a project: its program, its tsconfigs, its folders. */
export function dependenciesOf({ program, configFile, config, root }: Project): Fingerprint {
  const sources = program.getSourceFiles().map((file) => file.fileName);
  const { extendedSourceFiles = [] } = (config.options.configFile ?? {}) as ts.TsConfigSourceFile;
  const manifests = [join(root, 'package.json')];
  const folders = Object.keys(config.wildcardDirectories ?? {});
  return takeFingerprint([...sources, configFile, ...extendedSourceFiles, ...manifests], folders, root);
}
