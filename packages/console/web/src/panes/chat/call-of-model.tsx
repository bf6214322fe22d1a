import type { ChatCallState } from '../../../../../json/src/base/shown-records.js';
import type { ChatOf } from '../../../../src/api/chat-api.js';
import { ask } from '../../data/ask.js';
import { useSurface } from '../../data/current.js';
import { ownCalls, useKeyed } from '../../data/live.js';
import { hrefOf } from '../../shell/route.js';
import { JsonView } from '../../ui/json-view.js';
import { notifyError } from '../../ui/notices.js';
import { Badge, Button } from '../../ui/pieces.js';
import { CallView } from '../tools/call-view.js';
import '../tools/tools.css';

/** A call of the model: its arguments, whether it may be made, its questions, and its result. */
export function CallOfModel({ of, call }: { of: ChatOf; call: ChatCallState }) {
  const { id, tool, arguments: args, state, problem } = call;
  const { data: surface } = useSurface();
  const made = useKeyed(ownCalls, call.call);
  const operation = surface?.operations.find((each) => each.kind === 'tool' && each.key === tool);
  const isOpen = state !== 'ended' || made?.state === 'asking';
  const answer = (isAllowed: boolean) =>
    void ask('allowChatCall', { ...of, call: id, isAllowed }).catch(notifyError);
  return (
    <section className="card chat-call stack" aria-label={`Call of ${tool || 'no tool'}`}>
      <div className="row">
        <h2 className="chat-tool">
          {operation ? <a href={hrefOf('tools', 'tool', tool)}>{tool}</a> : tool || 'no tool'}
        </h2>
        {state === 'asks' && <Badge tone="warn">waits for you</Badge>}
        {state === 'running' && <Badge tone="info">running</Badge>}
        {problem !== undefined && <Badge tone="bad">not made</Badge>}
      </div>
      {typeof args === 'string' ? (
        <code className="chat-text">{args}</code>
      ) : (
        <JsonView value={args} openTo={2} label={`Arguments of ${tool}`} />
      )}
      {problem !== undefined && <p>{problem}</p>}
      {state === 'asks' && (
        <div className="row" role="group" aria-label={`May the model call ${tool}?`}>
          <Button look="primary" onClick={() => answer(true)}>
            Call it
          </Button>
          <Button onClick={() => answer(false)}>Refuse</Button>
        </div>
      )}
      {made && operation && (
        <details open={isOpen || made.error !== undefined}>
          <summary>What came of it</summary>
          <CallView call={made} operation={operation} isOwn />
        </details>
      )}
      {made && !operation && <JsonView value={made.result ?? made.error} label={`Result of ${tool}`} />}
    </section>
  );
}
