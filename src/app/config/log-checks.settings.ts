import { resolve } from 'node:path';
import { isHttpUrl } from '../../platform/settings/addresses.js';
import { file, setting, THAT_LISTEN, text, wholeNumber } from '../../platform/settings/setting.js';
import { parseWitnesses } from '../../platform/transparency/witness.js';

/** `03:30` → 210 */
function minutesIn(time: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

function placesIn(list: string): readonly string[] | undefined {
  const places = list.split(',').filter((place) => place !== '');
  return places.length <= 100 && places.every((place) => /^[^@\s]+@(0|[1-9]\d{0,14})$/.test(place))
    ? places
    : undefined;
}

function areWitnesses(list: string): boolean {
  try {
    return parseWitnesses(list).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** null: the key is among the content keys. */
export const signingKeyFile = file({
  environment: 'ANNALS_SIGNING_KEY_FILE',
  about:
    'file of the key that signs checkpoints of the log, made by the first start; without it, the key is kept with the content keys',
  commands: [...THAT_LISTEN, 'key', 'backup'],
});

/** Checks of the log and its tree (D15), and what the log records of them. */
export const checkRows = {
  /** Minutes after midnight, UTC; null: never. */
  verifyAt: setting({
    environment: 'ANNALS_VERIFY_AT',
    takes: 'time',
    about:
      'time of day, UTC, at which the log and its files are verified every day; without it, only annals verify does that',
    allowed: 'a time such as 03:30',
    default: null,
    commands: ['start', 'projections'],
    read: minutesIn,
  }),
  /** Absolute path; null: in the data directory. */
  checkpointsFile: setting({
    environment: 'ANNALS_CHECKPOINTS_FILE',
    takes: 'file',
    about:
      'file that signed checkpoints are appended to, best on a disk apart from log and backups; without it, checkpoints in the data directory',
    allowed: 'the path of a file',
    default: null,
    commands: [...THAT_LISTEN, 'verify'],
    read: (path) => (path.trim() === '' ? undefined : resolve(path)),
  }),
  checkpointSeconds: wholeNumber({
    environment: 'ANNALS_CHECKPOINT_SECONDS',
    takes: 'seconds',
    about: 'seconds from one noted checkpoint to the next, if the log has grown: what file, webhook and witnesses get',
    range: [1, 86_400],
    default: 60,
    commands: THAT_LISTEN,
  }),
  checkpointWebhookUrl: text({
    environment: 'ANNALS_CHECKPOINT_WEBHOOK_URL',
    takes: 'url',
    about: 'URL that signed checkpoints are posted to, as text',
    allowed: 'an http:// or https:// URL',
    default: null,
    commands: THAT_LISTEN,
    secret: true,
    isValid: isHttpUrl,
  }),
  /** Root of a signed checkpoint, base64; null: a log that contradicts a signed checkpoint is refused. */
  acceptRestoredLog: text({
    environment: 'ANNALS_ACCEPT_RESTORED_LOG',
    takes: 'root',
    about:
      'root of the signed checkpoint that a restored log may contradict, as the refused start names it: the log records that, and goes on under another name',
    allowed: 'the root of a checkpoint: 44 characters of base64',
    default: null,
    commands: THAT_LISTEN,
    isValid: (root) => /^[A-Za-z0-9+/]{43}=$/.test(root),
  }),
  /** Id of an event; null: keys that are older than the log are refused. */
  acceptMissingKeys: text({
    environment: 'ANNALS_ACCEPT_MISSING_KEYS',
    takes: 'event',
    about:
      'id of the newest event whose key is missing and given up, as the refused start names it: the log records that',
    allowed: 'the id of an event: a UUID in lower case',
    default: null,
    commands: THAT_LISTEN,
    isValid: (id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id),
  }),
  /** Places of events, as STREAM@REVISION; null: none. */
  skip: setting({
    environment: 'ANNALS_SKIP',
    takes: 'events',
    about:
      'events that cannot be read and are to be passed over, as the refused start names them, with commas between them: the log records each',
    allowed: 'up to 100 events, each as STREAM@REVISION',
    default: null,
    commands: [...THAT_LISTEN, 'rebuild'],
    read: placesIn,
  }),
  witnesses: text({
    environment: 'ANNALS_WITNESSES',
    takes: 'list',
    about: 'witnesses that cosign checkpoints: each as its verifier key, a space and its URL, with commas between them',
    allowed: 'up to 15 witnesses with names of their own, each as name+id+key and an http:// or https:// URL',
    default: null,
    commands: THAT_LISTEN,
    isValid: areWitnesses,
  }),
};
