import { useSignal } from '@preact/signals';
import { timeOf } from '../../platform/times.js';
import type { AuditEvent } from './found.js';
import { ProofOf } from './proof/proof-of.js';

/** A row of the table; opened, it tells everything of its event. */
export function EventRow({ event }: { readonly event: AuditEvent }) {
  const isOpen = useSignal(false);
  const details = `event-${event.id}`;
  const toggle = () => {
    isOpen.value = !isOpen.value;
  };
  return (
    <>
      <tr>
        <td>
          <time dateTime={event.time}>{timeOf(event.time)}</time>
        </td>
        <td>
          <button type="button" class="plain" aria-expanded={isOpen.value} aria-controls={details} onClick={toggle}>
            {event.kind}
          </button>
        </td>
        <td>{actorOf(event)}</td>
        <td>{placesOf(event)}</td>
      </tr>
      <tr id={details} hidden={!isOpen.value}>
        <td colSpan={4}>{isOpen.value && <Details event={event} />}</td>
      </tr>
    </>
  );
}

function Details({ event }: { readonly event: AuditEvent }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Event', `${event.id}, ${event.stream}@${event.revision}, position ${event.position.toLocaleString('en')}`],
    ['By', event.actor && `${event.actor.name} <${event.actor.email}>, account ${event.actor.user_id}`],
    ['Operator', event.operator],
    ['With', event.client],
    ['From', event.address],
    ['Follows from', event.caused_by],
    ['Request', event.request_id],
  ];
  return (
    <>
      <dl>
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <Changes data={event.data} />
      <ProofOf event={event} />
    </>
  );
}

/** The data of the event; what it has as `from` and `to` as an old and a new value. */
function Changes({ data }: { readonly data: AuditEvent['data'] }) {
  const { from, to, ...others } = data;
  const isChange = from !== undefined && to !== undefined;
  const rest = isChange ? others : data;
  return (
    <dl>
      {isChange && (
        <div>
          <dt>Change</dt>
          <dd>
            <del>{written(from)}</del> → <ins>{written(to)}</ins>
          </dd>
        </div>
      )}
      {Object.entries(rest).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{written(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));

const actorOf = ({ actor, operator }: AuditEvent): string => actor?.name ?? operator ?? 'the server';

const placesOf = ({ channels, topics }: AuditEvent): string =>
  topics.length > 0
    ? topics.map(({ channel_id, topic }) => `#${nameOf(channels, channel_id)} > ${topic}`).join(', ')
    : channels.map(({ channel_id }) => `#${nameOf(channels, channel_id)}`).join(', ');

const nameOf = (channels: AuditEvent['channels'], id: number): string =>
  channels.find(({ channel_id }) => channel_id === id)?.name ?? String(id);
