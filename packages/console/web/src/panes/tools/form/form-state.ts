import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { ValueProblem } from '../../../../../../json/src/validation/explain-value.js';

/** What every field of a form knows. */
interface FormState {
  /** The whole schema, into which references point. */
  readonly root: unknown;
  readonly problems: readonly ValueProblem[];
  /** What the ids of the fields begin with. */
  readonly id: string;
  /** The field of any schema. Fields that are made of others take it from here. */
  readonly Field: ComponentType<FieldProps>;
}

export const FormContext = createContext<FormState>({ root: {}, problems: [], id: '', Field: () => null });

export function useForm(): FormState {
  return useContext(FormContext);
}

/** One place of a form. */
export interface FieldProps {
  readonly schema: unknown;
  readonly name: string;
  /** The JSON pointer of the value. */
  readonly pointer: string;
  readonly value: unknown;
  /** `undefined`: the value is left out. */
  readonly change: (value: unknown) => void;
  readonly isRequired: boolean;
  /** Such as a button that removes an item of a list. */
  readonly action?: ReactNode;
  /** It has the same name as the frame around it, which shows the name. */
  readonly isInner?: boolean;
}

export function pointerTo(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The id of the field of a place. References to ids are separated by spaces, which a pointer may have. */
export function idOf(base: string, pointer: string): string {
  return `${base}${encodeURIComponent(pointer)}`;
}
