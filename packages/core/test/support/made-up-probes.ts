import {
  type BackgroundMethod,
  backgroundMethod,
  type Extension,
  type ExtensionHost,
  type MethodOnlyDecorator,
} from '@toolwright/core/extend';
import { optionRules } from '@toolwright/core/options';

declare module '@toolwright/core/extend' {
  interface ExtraErrorCodes {
    TW_PROBE_INVALID: true;
  }
  interface ExtraState {
    readonly probes?: readonly { readonly name: string; readonly of: string }[];
  }
  interface BackgroundNouns {
    probe: true;
  }
}

type Probe = BackgroundMethod<string>;

/** The methods of the servers of a test, and how their servers end. */
export const probes: Probe[] = [];
export const hosts: ExtensionHost[] = [];
/** What `drain` answers. */
export const drained = { of: [] as number[], isFinished: true };

/** A made-up package that runs methods when the test says so. */
export const probesExtension: Extension = {
  name: '@made-up/probes',
  start(host) {
    hosts.push(host);
    return {
      background: {
        noun: 'probe',
        participle: 'probed',
        draft: ({ of, name }: { of: string; name?: string }, label) =>
          of === 'nothing'
            ? { problem: { message: `${label} probes nothing.`, fix: 'Name something.' } }
            : { name: name ?? label, data: of },
        changed: (methods) => void probes.splice(0, probes.length, ...methods),
      },
      state: { probes: () => probes.map(({ name, data }) => ({ name, of: data })) },
      async drain(graceMs) {
        drained.of.push(graceMs);
        return drained.isFinished;
      },
    };
  },
};

const { filledText, required } = optionRules;

/** Its decorator. */
export function Probed(of: string, options: { name?: string } = {}): MethodOnlyDecorator {
  const rules = { of: required(filledText), name: filledText };
  return backgroundMethod(
    { name: 'Probed', options: { of, ...options }, rules, extension: probesExtension },
    Probed,
  );
}
