import { useEffect, useRef, useState, type RefObject } from 'react';
import type { ValueProblem } from '../../../../../../json/src/validation/explain-value.js';
import { ask } from '../../../data/ask.js';
import { notifyError } from '../../../ui/notices.js';
import { filled } from './filled.js';
import type { Schema } from './part-of.js';

/** How long the person must have stopped typing before the values are looked at again. */
const PAUSE_MS = 250;

interface InputProblems {
  readonly all: readonly ValueProblem[];
  /** Sends the values if they fit. Otherwise the focus goes to the first that does not. */
  readonly submit: (send: () => void) => Promise<void>;
}

/**
 * Asks the server what is wrong with the values of a form, so that messages are in the words of the server. Once
 * something is wrong, the messages change while the person repairs it.
 */
export function useProblems(
  schema: Schema,
  value: unknown,
  form: RefObject<HTMLElement | null>,
): InputProblems {
  const [all, setAll] = useState<readonly ValueProblem[]>([]);
  const wantsFocus = useRef(false);
  const find = () => ask('check', { schema, value: filled(schema, value) });
  const hasProblems = all.length > 0;

  useEffect(() => {
    if (!hasProblems) return undefined;
    const timer = setTimeout(() => void find().then(setAll, () => undefined), PAUSE_MS);
    return () => clearTimeout(timer);
    // Only what the person types changes what is wrong.
  }, [value]);

  useEffect(() => {
    if (!wantsFocus.current || !hasProblems) return;
    wantsFocus.current = false;
    focusFirst(form.current);
  }, [all, form, hasProblems]);

  const submit = async (send: () => void) => {
    const unread = form.current?.querySelector<HTMLElement>('input:invalid, textarea:invalid');
    if (unread) return unread.focus();
    try {
      const found = await find();
      wantsFocus.current = found.length > 0;
      setAll(found);
      if (found.length === 0) send();
    } catch (error) {
      notifyError(error);
    }
  };
  return { all, submit };
}

/** The field whose message comes first on the page. */
function focusFirst(form: HTMLElement | null): void {
  const field = form?.querySelector('.field-errors')?.closest('.field, fieldset');
  const fields = 'input, select, textarea, button';
  (field ?? form)?.querySelector<HTMLElement>(fields)?.focus();
}

function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A place as authors write it: `items[0].name`. */
export function placeOf({ pointer }: ValueProblem): string {
  const place = pathOf(pointer)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('');
  return place.replace(/^\./, '') || 'arguments';
}
