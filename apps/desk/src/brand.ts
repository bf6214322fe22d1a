import type { Brand } from '@toolwright/core/options';

/** The name and the color of all pages for people: those of the desk itself, and those of its server. */
export const brand = { name: 'Support desk', color: '#0f5f5c' } satisfies Brand;
