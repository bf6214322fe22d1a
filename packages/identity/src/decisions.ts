export { externalDecision, type ExternalDecisionOptions } from './decisions/external-decision.js';
export {
  cedar,
  type CedarEntity,
  type CedarEntityId,
  type CedarOptions,
  type CedarRequest,
} from './decisions/cedar.js';
export type { DecidedOperation } from './decisions/decision-input.js';
export type { Decide, Decision, DecisionInput, DecisionPrincipal } from './decisions/decision.js';
export { decisionErrorCatalogue } from './decisions/decision-error.js';
export { opa, type OpaOptions } from './decisions/opa.js';
export { type FgaTuple, openFga, type OpenFgaOptions } from './decisions/openfga.js';
