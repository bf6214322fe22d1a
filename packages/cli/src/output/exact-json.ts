import { writeJson } from '@toolwright/core/transport';
import { visibleJson } from '@toolwright/operate/terminal';

/** JSON of a server, without invisible characters, and with all digits of its integers. */
export const exactJson = (value: unknown): string => visibleJson(value, 2, writeJson);
