import { useEffect, useRef, useState } from 'react';
import { JsonView } from '../../../ui/json-view.js';
import type { AppQuestion } from './app-access.js';

/** A page chooses the moment of its question. So nobody can allow it with a click that was meant for the page. */
const LOOK_MS = 1_000;

/** Asks the person whether the page of an app may run a tool. */
export function AppQuestionDialog({
  question,
  answer,
}: {
  question: AppQuestion;
  answer: (isAllowed: boolean) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    const timer = setTimeout(() => setSeen(true), LOOK_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-label="The app asks" onCancel={() => answer(false)}>
      <div className="stack">
        <h2>The app wants to run a tool</h2>
        <p>
          The page asks to call <code>{question.tool}</code>, which may change or destroy something.
        </p>
        <JsonView value={question.arguments} openTo={3} label="Arguments of the page" />
        <div className="row">
          <button type="button" className="button" autoFocus onClick={() => answer(false)}>
            Refuse
          </button>
          <button type="button" className="button danger" disabled={!isSeen} onClick={() => answer(true)}>
            Allow this call
          </button>
        </div>
      </div>
    </dialog>
  );
}
