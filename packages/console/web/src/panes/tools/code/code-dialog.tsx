import { Code } from 'lucide-react';
import { useRef, useState } from 'react';
import type { CallRequest } from '../../../../../src/api/call-api.js';
import { useOverview } from '../../../data/current.js';
import { CopyButton } from '../../../ui/copy-button.js';
import { Tabs } from '../../../ui/tabs.js';
import { writeClient } from './write-client.js';
import { writeCurl } from './write-curl.js';
import { writeTest } from './write-test.js';

const forms = [
  { id: 'curl', title: 'curl', write: writeCurl },
  { id: 'client', title: 'Client', write: writeClient },
  { id: 'test', title: 'Jest test', write: writeTest },
];

/** The same call, as a command and as code. */
export function CodeDialog({ request }: { request: CallRequest }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState('curl');
  const endpoint = useOverview()?.endpoint ?? 'http://127.0.0.1:3000/mcp';
  return (
    <>
      <button type="button" className="button" onClick={() => dialog.current?.showModal()}>
        <Code size={15} aria-hidden /> Code
      </button>
      <dialog ref={dialog} className="dialog wide" aria-label="This call as code">
        <div className="stack">
          <h2>This call as code</h2>
          <Tabs
            label="Languages"
            open={open}
            choose={setOpen}
            tabs={forms.map(({ id, title, write }) => ({
              id,
              title,
              content: () => (
                <div className="stack">
                  <pre className="card">{write(request, endpoint)}</pre>
                  <CopyButton text={() => write(request, endpoint)} />
                </div>
              ),
            }))}
          />
          <div className="row end">
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        </div>
      </dialog>
    </>
  );
}
