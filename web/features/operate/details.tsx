import { longTime } from '../../platform/clock.js';
import type { Health } from './health.js';

/** Consumers of the log, what was signed, verified and backed up, in words. */
export function Details({ of: { engines, passedOver, damagedFiles, checkpoints, verification, backup } }: Of) {
  return (
    <>
      <section aria-labelledby="engines">
        <h2 id="engines">Engines</h2>
        <ul>
          <li>{`The log ${reached(engines.log)}`}</li>
          <li>{`The documents ${reached(engines.documents)}`}</li>
        </ul>
      </section>
      <section aria-labelledby="consumers">
        <h2 id="consumers">Consumers of the log</h2>
        <p>{passedOver === null ? 'Not known yet' : passedOverWords(passedOver.count)}</p>
        <ul>
          {passedOver?.newest.map(({ follower, eventId, type, position, error, at }) => (
            <li key={`${follower} ${eventId}`}>
              {`${follower} has passed over ${type} at ${position}: ${error}, `}
              <When at={at} />
            </li>
          ))}
        </ul>
        {damagedFiles.length > 0 && <h3>Damaged files</h3>}
        <ul>
          {damagedFiles.map(({ eventId, fault, stream, revision }) => (
            <li key={eventId}>{`${fault}: the file of ${stream}@${revision}`}</li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="proof">
        <h2 id="proof">Proof and backup</h2>
        <ul>
          <li>{checkpointWords(checkpoints)}</li>
          {checkpoints?.alarms.map((alarm) => (
            <li key={alarm} class="problem">
              {alarm}
            </li>
          ))}
          {checkpoints?.witnesses.map(({ name, size, problem }) => (
            <li
              key={name}
            >{`The witness ${name} has cosigned ${size} events${problem === null ? '' : `: ${problem}`}`}</li>
          ))}
          <li>{verification === null ? 'No verification has run by itself' : verificationWords(verification)}</li>
          <li>
            {backup === null ? (
              'No backup is known'
            ) : (
              <>
                {`The last backup has all up to ${backup.through}, with ${backup.faults} faults, `}
                <When at={Date.parse(backup.endedAt)} />
              </>
            )}
          </li>
        </ul>
      </section>
    </>
  );
}

interface Of {
  readonly of: Health;
}

const When = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at).toISOString()}>{longTime(new Date(at))}</time>
);

const reached = ({ reachable, answeredMsAgo }: Health['engines']['log']): string =>
  `${reachable ? 'can be reached' : 'CANNOT be reached'}${answeredMsAgo === null ? '' : `, and answered ${answeredMsAgo} ms before`}`;

const passedOverWords = (count: number): string =>
  count === 0 ? 'All events were handled' : `${count} events were passed over. Each start tries them again`;

const checkpointWords = (checkpoints: Health['checkpoints']): string =>
  checkpoints === null || checkpoints.size === null
    ? 'The log is not signed, or it is not known yet'
    : `${checkpoints.size} events are in the newest signed checkpoint`;

function verificationWords({ result, doing, percent }: NonNullable<Health['verification']>): string {
  const how = percent === null ? '' : `, ${percent} %`;
  return `The last verification: ${result}${doing === null ? '' : ` (${doing}${how})`}`;
}
