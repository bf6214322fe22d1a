import { basename, join } from 'node:path';
import { MANIFEST_FILE } from '@toolwright/manifest';
import type { ts } from 'typescript-json-schema';
import type { Project } from '../program/open-project.js';
import { ownTypeScript } from '../program/own-typescript.js';
import { takeFingerprint, type Fingerprint } from './fingerprint.js';

/** The fingerprint of everything that a compilation read: the program, its tsconfigs and its folders. */
export function dependenciesOf(project: Project): Fingerprint {
  const folders = Object.keys(project.config.wildcardDirectories ?? {});
  return takeFingerprint(filesOf(project), folders, project.root);
}

/** The files that a compilation read. */
export function filesOf({ program, configFile, config, root }: Project): string[] {
  const sources = program
    .getSourceFiles()
    .map((file) => file.fileName)
    .filter((name) => basename(name) !== MANIFEST_FILE);
  const { extendedSourceFiles = [] } = (config.options.configFile ?? {}) as ts.TsConfigSourceFile;
  const own = ownTypeScript(configFile);
  const manifests = [join(root, 'package.json'), ...(own ? [own.packageFile] : [])];
  return [...sources, configFile, ...extendedSourceFiles, ...manifests];
}
