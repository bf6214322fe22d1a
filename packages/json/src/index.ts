export { canonicalJson } from './text/canonical-json.js';
export { didYouMean, editDistance, nearestNames } from './text/nearest-names.js';
