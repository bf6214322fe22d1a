import { DiceTools } from './dice-tools.js';

/** What the gallery asks of a plug-in: the classes it brings. */
export const services = [DiceTools];
