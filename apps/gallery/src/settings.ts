import { exampleData } from './example-data.js';

/** What the environment decides. */
export interface Settings {
  /** TCP port on 127.0.0.1; 0 takes a free one. */
  port: number;
  /** The folder whose files the tools may read. */
  dataFolder: string;
}

/** Reads PORT and GALLERY_DATA. */
export function readSettings({ PORT, GALLERY_DATA }: NodeJS.ProcessEnv): Settings {
  return { port: Number(PORT || 3000), dataFolder: GALLERY_DATA || exampleData() };
}
