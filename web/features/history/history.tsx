import { useMayAudit } from '../../platform/may-audit.js';
import { Office } from '../../platform/office.js';
import { question } from '../../platform/router.js';
import { MessageLife } from './message-life.js';
import { TopicHistory } from './topic-history.js';
import './history.css';

/** `#/history?message=17`: the life of a message; `#/history?channel=7&topic=plans`: a topic as it was. */
export function History() {
  const [messageId, channelId] = [Number(question.value.get('message')), Number(question.value.get('channel'))];
  const audits = useMayAudit();
  const topic = question.value.get('topic');
  return (
    <Office at="audit">
      <div class="history">
        {messageId > 0 ? (
          <MessageLife messageId={messageId} key={messageId} />
        ) : channelId > 0 && topic !== null ? (
          <TopicHistory place={{ channelId, topic }} key={`${channelId} ${topic}`} />
        ) : (
          <p>A message or a topic leads here. {audits && <a href="#/audit">All that has happened</a>}</p>
        )}
      </div>
    </Office>
  );
}
