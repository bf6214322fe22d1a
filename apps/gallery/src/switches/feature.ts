import { definePolicy } from '@toolwright/core';

export type FeatureName = 'summaries';

/** The tool is there as long as the feature is switched on. */
export const Feature = definePolicy<FeatureName>('feature');
