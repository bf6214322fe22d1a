declare module '@toolwright/core/extend' {
  interface ExtraErrorCodes {
    TW_DECISION_DENIED: true;
    TW_DECISION_UNAVAILABLE: true;
  }
  interface BackgroundNouns {
    /** Audit records of what a policy engine has decided. */
    decision: true;
  }
}

/** Every error code of external decisions, with its meaning. docs/errors.md lists the same codes. */
export const decisionErrorCatalogue = {
  TW_DECISION_DENIED: 'The policy engine did not allow the call.',
  TW_DECISION_UNAVAILABLE: 'The policy engine gave no decision in time, so the call was refused.',
} as const;
