import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string) => readFileSync(join(__dirname, 'fixtures', name), 'utf8');

/** A page of the fixtures, on the stage that pictures of code share. */
export const onStage = (name: string): string =>
  read(name).replace('<style>', () => `<style>${read('stage.css')}</style><style>`);
