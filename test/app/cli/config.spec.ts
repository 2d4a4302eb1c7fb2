import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { engineSettingsOf, settings, siteUrl } from '../../../src/app/config/config.js';
import { ConfigRefused, readConfig, unknownVariables } from '../../../src/app/config/read-config.js';

const WITNESS_KEY = 'witness.example/w1+24b5d9fe+BP0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY';

const problemsOf = (environment: Record<string, string>, flags = {}): readonly string[] => {
  try {
    readConfig('start', flags, environment);
  } catch (error) {
    if (error instanceof ConfigRefused) return error.problems;
    throw error;
  }
  return [];
};

describe('the configuration', () => {
  describe('a secret in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'annals-'));
    const file = join(folder, 'smtp');
    writeFileSync(file, 'smtps://me:s3cret@mail.example.org\n');
    afterAll(() => rmSync(folder, { recursive: true }));

    it('is read without its line break, and is no unknown variable', () => {
      const environment = { ANNALS_SMTP_URL_FILE: file };
      expect(readConfig('start', {}, environment).smtpUrl).toBe('smtps://me:s3cret@mail.example.org');
      expect(unknownVariables(environment)).toEqual([]);
    });

    it('is refused if the file is missing, or the secret is given, too', () => {
      expect(problemsOf({ ANNALS_OWNER_PASSWORD_FILE: join(folder, 'none') })).toEqual([
        expect.stringMatching(/^ANNALS_OWNER_PASSWORD_FILE names a file that cannot be read: .*ENOENT/),
      ]);
      expect(problemsOf({ ANNALS_SMTP_URL: 'smtp://localhost', ANNALS_SMTP_URL_FILE: file })).toEqual([
        'only one of ANNALS_SMTP_URL and ANNALS_SMTP_URL_FILE can be set',
      ]);
    });

    it('is for secrets alone', () => {
      expect(unknownVariables({ ANNALS_PORT_FILE: file })).toEqual(['ANNALS_PORT_FILE']);
    });
  });

  it('has a default for everything', () => {
    expect({ ...readConfig('start', {}, {}) }).toEqual({
      acceptMissingKeys: null,
      metrics: null,
      skip: null,
      acceptRestoredLog: null,
      dataDirectory: resolve('data'),
      host: '127.0.0.1',
      port: 9991,
      signingKeyFile: null,
      site: null,
      transparency: true,
      trustedProxies: null,
      organization: 'Annals',
      ownerEmail: 'owner@example.com',
      ownerName: 'Owner',
      ownerPassword: null,
      logLevel: 'info',
      rateLimit: 0,
      waitingCommands: 8192,
      answerWaitMs: 2000,
      answerKib: 8_192,
      page: true,
      passwordMinLength: 8,
      queueIdleDays: 30,
      apiKeyIdleDays: 365,
      addressDays: 365,
      accessDays: 365,
      heartbeatSeconds: 50,
      maxFileUploadMib: 25,
      smtpUrl: null,
      mailFrom: null,
      welcomeMessages: true,
      invitationsPerMember: 100,
      invitationsPerAdministrator: 2000,
      invitationsPerOrganization: 5000,
      joinsPerLink: 500,
      invitationPauseSeconds: 300,
      eventStoreUrl: null,
      mongodbUrl: null,
      streamPrefix: '',
      checkpointsFile: null,
      verifyAt: null,
      checkpointSeconds: 60,
      checkpointWebhookUrl: null,
      witnesses: null,
      apnsKeyFile: null,
      apnsKeyId: null,
      apnsTeamId: null,
      apnsSandbox: false,
      apnsUrl: null,
      apnsCaFile: null,
      fcmServiceAccountFile: null,
      fcmUrl: 'https://fcm.googleapis.com',
      pushKeysFile: null,
      pushBouncerUrl: null,
      outgoingPrivateNetworks: null,
      remotePictures: false,
      remotePicturesCacheMib: 512,
      pushBouncerOrgId: null,
      pushBouncerOrgKey: null,
    });
  });

  it('is read from the environment', () => {
    const config = readConfig(
      'start',
      {},
      {
        ANNALS_DATA_DIR: '/srv/annals',
        ANNALS_HOST: '::1',
        ANNALS_METRICS: '[::1]:9464',
        ANNALS_PORT: '0',
        ANNALS_SITE: 'https://chat.example.org/',
        ANNALS_TRUSTED_PROXIES: '10.0.0.7, fd00::/8,uniquelocal',
        ANNALS_ORGANIZATION: 'Zoë & Söhne',
        ANNALS_OWNER_EMAIL: 'zoe@localhost',
        ANNALS_OWNER_NAME: 'Zoë Größe',
        ANNALS_OWNER_PASSWORD: 'correct horse',
        ANNALS_PASSWORD_MIN_LENGTH: '12',
        ANNALS_LOG_LEVEL: 'silent',
        ANNALS_RATE_LIMIT: '200',
        ANNALS_WAITING_COMMANDS: '100',
        ANNALS_ANSWER_WAIT_MS: '0',
        ANNALS_ANSWER_KIB: '64',
        ANNALS_QUEUE_IDLE_DAYS: '7',
        ANNALS_API_KEY_IDLE_DAYS: '90',
        ANNALS_ADDRESS_DAYS: '0',
        ANNALS_ACCESS_DAYS: '30',
        ANNALS_HEARTBEAT_SECONDS: '1',
        ANNALS_MAX_FILE_UPLOAD_MIB: '1024',
        ANNALS_SMTP_URL: 'smtps://annals:s3cret@mail.example.org',
        ANNALS_MAIL_FROM: 'annals@example.org',
        ANNALS_WELCOME_MESSAGES: 'false',
        ANNALS_PAGE: 'false',
        ANNALS_INVITATIONS_PER_MEMBER: '0',
        ANNALS_INVITATIONS_PER_ADMINISTRATOR: '10',
        ANNALS_INVITATIONS_PER_ORGANIZATION: '1000000',
        ANNALS_JOINS_PER_LINK: '20',
        ANNALS_INVITATION_PAUSE_SECONDS: '86400',
        EVENTSTORE_URL: 'esdb://localhost:2113?tls=false',
        MONGODB_URL: 'mongodb://localhost/team',
        ANNALS_STREAM_PREFIX: 'team-1.',
        ANNALS_PUSH_BOUNCER_URL: 'https://push.example.org/',
        ANNALS_PUSH_BOUNCER_ORG_ID: '6f0b3f0c-3c1e-4d2a-9a55-4d9f0f4a7c11',
        ANNALS_PUSH_BOUNCER_ORG_KEY: 'k'.repeat(64),
        ANNALS_APNS_SANDBOX: 'true',
        ANNALS_OUTGOING_PRIVATE_NETWORKS: '10.0.0.0/8,::1',
        ANNALS_REMOTE_PICTURES: 'true',
        ANNALS_SIGNING_KEY_FILE: '/run/secrets/signing-key',
        ANNALS_TRANSPARENCY: 'false',
        ANNALS_CHECKPOINTS_FILE: '/mnt/apart/checkpoints',
        ANNALS_VERIFY_AT: '03:30',
        ANNALS_ACCEPT_MISSING_KEYS: '6f0b3f0c-3c1e-4d2a-9a55-4d9f0f4a7c12',
        ANNALS_SKIP: 'messages@5,message-7@0',
        ANNALS_ACCEPT_RESTORED_LOG: 'Boooooooooooooooooooooooooooooooooooooooooo=',
        ANNALS_CHECKPOINT_SECONDS: '5',
        ANNALS_CHECKPOINT_WEBHOOK_URL: 'https://hooks.example.org/x?token=s3cret',
        ANNALS_WITNESSES: `${WITNESS_KEY} https://witness.example/w1`,
        ANNALS_REMOTE_PICTURES_CACHE_MIB: '32',
      },
    );
    expect({ ...config }).toEqual({
      metrics: { host: '::1', port: 9464 },
      acceptMissingKeys: '6f0b3f0c-3c1e-4d2a-9a55-4d9f0f4a7c12',
      acceptRestoredLog: 'Boooooooooooooooooooooooooooooooooooooooooo=',
      skip: ['messages@5', 'message-7@0'],
      dataDirectory: '/srv/annals',
      host: '::1',
      port: 0,
      signingKeyFile: '/run/secrets/signing-key',
      checkpointsFile: '/mnt/apart/checkpoints',
      verifyAt: 210,
      checkpointSeconds: 5,
      checkpointWebhookUrl: 'https://hooks.example.org/x?token=s3cret',
      witnesses: `${WITNESS_KEY} https://witness.example/w1`,
      site: 'https://chat.example.org',
      transparency: false,
      trustedProxies: '10.0.0.7, fd00::/8,uniquelocal',
      organization: 'Zoë & Söhne',
      ownerEmail: 'zoe@localhost',
      ownerName: 'Zoë Größe',
      ownerPassword: 'correct horse',
      logLevel: 'silent',
      page: false,
      rateLimit: 200,
      waitingCommands: 100,
      answerWaitMs: 0,
      answerKib: 64,
      passwordMinLength: 12,
      queueIdleDays: 7,
      apiKeyIdleDays: 90,
      addressDays: 0,
      accessDays: 30,
      heartbeatSeconds: 1,
      maxFileUploadMib: 1024,
      smtpUrl: 'smtps://annals:s3cret@mail.example.org',
      mailFrom: 'annals@example.org',
      welcomeMessages: false,
      invitationsPerMember: 0,
      invitationsPerAdministrator: 10,
      invitationsPerOrganization: 1_000_000,
      joinsPerLink: 20,
      invitationPauseSeconds: 86_400,
      eventStoreUrl: 'esdb://localhost:2113?tls=false',
      mongodbUrl: 'mongodb://localhost/team',
      streamPrefix: 'team-1.',
      apnsKeyFile: null,
      apnsKeyId: null,
      apnsTeamId: null,
      apnsSandbox: true,
      apnsUrl: null,
      apnsCaFile: null,
      fcmServiceAccountFile: null,
      fcmUrl: 'https://fcm.googleapis.com',
      pushKeysFile: null,
      pushBouncerUrl: 'https://push.example.org',
      outgoingPrivateNetworks: '10.0.0.0/8,::1',
      remotePictures: true,
      remotePicturesCacheMib: 32,
      pushBouncerOrgId: '6f0b3f0c-3c1e-4d2a-9a55-4d9f0f4a7c11',
      pushBouncerOrgKey: 'k'.repeat(64),
    });
  });

  it('prefers a flag to the environment', () => {
    expect(readConfig('start', { port: '9000' }, { ANNALS_PORT: '8000' }).port).toBe(9000);
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig('start', {}, { ANNALS_PORT: '', MONGODB_URL: '' })).toMatchObject({
      port: 9991,
      mongodbUrl: null,
    });
  });

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(readConfig('start', {}, {}))).toBe(true);
  });

  it.each([
    ['ANNALS_DATA_DIR', ' ', 'the path of a folder'],
    ['ANNALS_HOST', 'not a host', 'an IP address or a host name'],
    ['ANNALS_HOST', 'http://localhost', 'an IP address or a host name'],
    ['ANNALS_MAIL_FROM', 'annals', 'a mail address, such as noreply@example.org'],
    ['ANNALS_PORT', 'abc', 'a whole number from 0 to 65535'],
    ['ANNALS_PORT', '65536', 'a whole number from 0 to 65535'],
    ['ANNALS_PORT', '-1', 'a whole number from 0 to 65535'],
    ['ANNALS_PORT', '80.5', 'a whole number from 0 to 65535'],
    ['ANNALS_PORT', '0x50', 'a whole number from 0 to 65535'],
    ['ANNALS_PORT', ' 80', 'a whole number from 0 to 65535'],
    ['ANNALS_SITE', 'chat.example.org', 'an http:// or https:// URL without a path'],
    ['ANNALS_SITE', 'ftp://chat.example.org', 'an http:// or https:// URL without a path'],
    ['ANNALS_SITE', 'https://chat.example.org/team', 'an http:// or https:// URL without a path'],
    ['ANNALS_SITE', 'https://chat.example.org?a=b', 'an http:// or https:// URL without a path'],
    ['ANNALS_SITE', 'https://me:secret@chat.example.org', 'an http:// or https:// URL without a path'],
    ['ANNALS_TRUSTED_PROXIES', 'proxy.example.org', 'IP addresses, or networks'],
    ['ANNALS_TRUSTED_PROXIES', '10.0.0.0/33', 'IP addresses, or networks'],
    ['ANNALS_TRUSTED_PROXIES', '10.0.0.1,', 'IP addresses, or networks'],
    ['ANNALS_REMOTE_PICTURES', 'yes', 'true or false'],
    ['ANNALS_TRANSPARENCY', 'no', 'true or false'],
    ['ANNALS_WELCOME_MESSAGES', '0', 'true or false'],
    ['ANNALS_CHECKPOINTS_FILE', ' ', 'the path of a file'],
    ['ANNALS_VERIFY_AT', '3:30', 'a time such as 03:30'],
    ['ANNALS_VERIFY_AT', '24:00', 'a time such as 03:30'],
    ['ANNALS_CHECKPOINT_SECONDS', '0', 'a whole number from 1 to 86400'],
    ['ANNALS_WITNESSES', 'https://witness.example', 'up to 15 witnesses with names of their own'],
    ['ANNALS_WITNESSES', WITNESS_KEY, 'up to 15 witnesses with names of their own'],
    ['ANNALS_REMOTE_PICTURES_CACHE_MIB', '31', 'a whole number from 32 to 1048576'],
    ['ANNALS_OUTGOING_PRIVATE_NETWORKS', '10.0.0.0/33', 'IP addresses, or networks'],
    ['ANNALS_OUTGOING_PRIVATE_NETWORKS', 'localhost', 'IP addresses, or networks'],
    ['ANNALS_ORGANIZATION', 'x'.repeat(101), 'a name of 1 to 100 characters on one line'],
    ['ANNALS_ORGANIZATION', '  ', 'a name of 1 to 100 characters on one line'],
    ['ANNALS_OWNER_EMAIL', 'owner', 'an email address'],
    ['ANNALS_OWNER_EMAIL', 'a@example.com\nkey=x', 'an email address'],
    ['ANNALS_OWNER_NAME', 'two\nlines', 'a name of 1 to 100 characters on one line'],
    ['ANNALS_LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
    ['ANNALS_RATE_LIMIT', '-5', 'a whole number from 0 to 1000000'],
    ['ANNALS_RATE_LIMIT', 'off', 'a whole number from 0 to 1000000'],
    ['ANNALS_WAITING_COMMANDS', '-1', 'a whole number from 0 to 1000000'],
    ['ANNALS_PASSWORD_MIN_LENGTH', '5', 'a whole number from 6 to 100'],
    ['ANNALS_PASSWORD_MIN_LENGTH', '101', 'a whole number from 6 to 100'],
    ['ANNALS_ANSWER_KIB', '0', 'a whole number from 1 to 65536'],
    ['ANNALS_ANSWER_WAIT_MS', '60001', 'a whole number from 0 to 60000'],
    ['ANNALS_ADDRESS_DAYS', '36501', 'a whole number from 0 to 36500'],
    ['ANNALS_ACCESS_DAYS', '-1', 'a whole number from 0 to 36500'],
    ['ANNALS_QUEUE_IDLE_DAYS', '0', 'a whole number from 1 to 30 (events are kept for 30 days)'],
    ['ANNALS_HEARTBEAT_SECONDS', '0', 'a whole number from 1 to 600'],
    ['ANNALS_INVITATIONS_PER_MEMBER', '-1', 'a whole number from 0 to 1000000'],
    ['ANNALS_INVITATION_PAUSE_SECONDS', '86401', 'a whole number from 0 to 86400'],
    ['ANNALS_APNS_KEY_ID', 'short', '10 capital letters and digits'],
    ['ANNALS_APNS_SANDBOX', 'yes', 'true or false'],
    ['ANNALS_APNS_URL', 'http://localhost', 'an https:// URL without a path'],
    ['ANNALS_PUSH_BOUNCER_URL', 'push.example.org', 'an http:// or https:// URL without a path'],
    ['ANNALS_PUSH_BOUNCER_ORG_ID', 'me', 'a UUID'],
    ['ANNALS_MAX_FILE_UPLOAD_MIB', '0', 'a whole number from 1 to 1024'],
  ])('refuses %s=%j and says what is allowed', (variable, value, allowed) => {
    const problems = problemsOf({ [variable]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${variable} must be ${allowed}`);
    expect(problems[0]).toContain(`not ${JSON.stringify(value)}`);
  });

  it('does not repeat a password that it refuses', () => {
    const longer = { ANNALS_PASSWORD_MIN_LENGTH: '12', ANNALS_OWNER_PASSWORD: 'eleven char' };
    expect(problemsOf(longer)).toEqual(['ANNALS_OWNER_PASSWORD must be 12 to 100 characters long']);
    expect(problemsOf({ ANNALS_OWNER_PASSWORD: 'hunter2' })).toEqual([
      'ANNALS_OWNER_PASSWORD must be 8 to 100 characters long',
    ]);
  });

  it('accepts a restored log only by the root of a checkpoint', () => {
    expect(problemsOf({ ANNALS_ACCEPT_RESTORED_LOG: 'true' })).toEqual([
      'ANNALS_ACCEPT_RESTORED_LOG must be the root of a checkpoint: 44 characters of base64, not "true"',
    ]);
  });

  it('does not repeat a URL for checkpoints that it refuses', () => {
    expect(problemsOf({ ANNALS_CHECKPOINT_WEBHOOK_URL: 'ftp://example.org/s3cret' })).toEqual([
      'ANNALS_CHECKPOINT_WEBHOOK_URL must be an http:// or https:// URL',
    ]);
  });

  describe('the configuration of push', () => {
    const NOT_THERE = resolve('not-there');
    const certificate = resolve('test/support/outside/push/certificate/certificate.pem');

    it('names settings that are missing beside others', () => {
      expect(
        problemsOf({ ANNALS_APNS_KEY_ID: 'ABCDE12345', ANNALS_PUSH_BOUNCER_URL: 'https://push.example.org' }),
      ).toEqual([
        expect.stringMatching(/^ANNALS_APNS_KEY_FILE must be set too/),
        expect.stringMatching(/^ANNALS_APNS_TEAM_ID must be set too/),
        expect.stringMatching(/^ANNALS_PUSH_BOUNCER_ORG_ID must be set too/),
        expect.stringMatching(/^ANNALS_PUSH_BOUNCER_ORG_KEY must be set too/),
      ]);
    });

    it.each([
      ['ANNALS_FCM_SERVICE_ACCOUNT_FILE', NOT_THERE, 'ENOENT'],
      ['ANNALS_FCM_SERVICE_ACCOUNT_FILE', resolve('package.json'), 'it has no project_id'],
      ['ANNALS_PUSH_KEYS_FILE', resolve('package.json'), 'each line must be 32 bytes in base64'],
      ['ANNALS_APNS_CA_FILE', NOT_THERE, 'ENOENT'],
    ])('refuses %s=%s', (variable, file, reason) => {
      expect(problemsOf({ [variable]: file })).toEqual([
        expect.stringContaining(`${variable}: ${file} cannot be used: `),
      ]);
      expect(problemsOf({ [variable]: file })[0]).toContain(reason);
    });

    it("refuses a file that is not Apple's key, and a bouncer beside credentials", () => {
      const apple = {
        ANNALS_APNS_KEY_FILE: certificate,
        ANNALS_APNS_KEY_ID: 'ABCDE12345',
        ANNALS_APNS_TEAM_ID: 'TEAM567890',
      };
      expect(problemsOf(apple)).toEqual([expect.stringMatching(/^ANNALS_APNS_KEY_FILE: .* cannot be used/)]);
      const bouncer = {
        ANNALS_PUSH_BOUNCER_URL: 'https://push.example.org',
        ANNALS_PUSH_BOUNCER_ORG_ID: '6f0b3f0c-3c1e-4d2a-9a55-4d9f0f4a7c11',
        ANNALS_PUSH_BOUNCER_ORG_KEY: 'k'.repeat(64),
      };
      const key = resolve('test/support/outside/push/certificate/key.pem');
      expect(problemsOf({ ...apple, ...bouncer, ANNALS_APNS_KEY_FILE: key })).toEqual([
        'ANNALS_PUSH_BOUNCER_URL excludes ANNALS_APNS_KEY_FILE and ANNALS_FCM_SERVICE_ACCOUNT_FILE',
      ]);
    });
  });

  describe('the configuration of the engines', () => {
    const COMMANDS = ['start', 'api', 'projections', 'rebuild', 'grant', 'log', 'copy'] as const;
    const BOTH = { EVENTSTORE_URL: 'esdb://localhost:2113?tls=false', MONGODB_URL: 'mongodb://localhost:27017/annals' };

    it.each(COMMANDS)('is taken by %s, with both URLs', (command) => {
      const config = readConfig(command, {}, { ...BOTH, ANNALS_STREAM_PREFIX: 'a.' });
      expect(engineSettingsOf(config)).toEqual({
        dataDirectory: config.dataDirectory,
        distributed: { eventStoreUrl: BOTH.EVENTSTORE_URL, mongodbUrl: BOTH.MONGODB_URL, streamPrefix: 'a.' },
      });
    });

    it('is the data directory by default', () => {
      expect(engineSettingsOf(readConfig('start', {}, {}))).toEqual({ dataDirectory: resolve('data') });
    });

    it.each(['EVENTSTORE_URL', 'MONGODB_URL'] as const)('refuses %s alone, whatever the command', (variable) => {
      const other = variable === 'EVENTSTORE_URL' ? 'MONGODB_URL' : 'EVENTSTORE_URL';
      for (const command of COMMANDS) {
        expect(() => readConfig(command, {}, { [variable]: BOTH[variable] })).toThrow(
          new ConfigRefused([`${other} must be set too where ${variable} is: they go together`]),
        );
      }
    });

    it.each(['api', 'projections'] as const)('refuses to run %s without the URLs, in one sentence', (command) => {
      expect(() => readConfig(command, {}, {})).toThrow(
        new ConfigRefused([
          `annals ${command} needs EVENTSTORE_URL and MONGODB_URL; without them, annals start does everything alone`,
        ]),
      );
    });

    it.each([
      'esdb://localhost:2113?tls=false',
      'esdb://localhost:2113/?tls=false',
      'esdb://admin:changeit@db.example.org',
      'esdb://a:2111,b:2112,c:2113?tls=true&nodePreference=leader&tls_ca_file=/etc/ca.pem',
      'esdb+discover://admin:change%40it@cluster.example.org:2113',
      'esdb://event_store:2113?tls=false',
    ])('accepts EVENTSTORE_URL=%s', (url) => {
      expect(problemsOf({ ...BOTH, EVENTSTORE_URL: url })).toEqual([]);
    });

    it.each([
      'mongodb://localhost',
      'mongodb://127.0.0.1:27017/?directConnection=true',
      'mongodb://user:secret@a,b:27018,c/team?replicaSet=rs0&authSource=admin',
      'mongodb+srv://user:secret@cluster.example.org/annals?retryWrites=true',
    ])('accepts MONGODB_URL=%s', (url) => {
      expect(problemsOf({ ...BOTH, MONGODB_URL: url })).toEqual([]);
    });

    it.each([
      ['EVENTSTORE_URL', 'localhost:2113'],
      ['EVENTSTORE_URL', 'http://user:secret@localhost:2113'],
      ['EVENTSTORE_URL', 'esdb://'],
      ['EVENTSTORE_URL', 'esdb://user:secret@'],
      ['EVENTSTORE_URL', 'esdb://localhost:0'],
      ['EVENTSTORE_URL', 'esdb://localhost:70000'],
      ['EVENTSTORE_URL', 'esdb://localhost:2113/annals'],
      ['EVENTSTORE_URL', 'esdb://localhost:2113?tls'],
      ['EVENTSTORE_URL', 'esdb://local host:2113'],
      ['EVENTSTORE_URL', 'esdb://a,,b'],
      ['MONGODB_URL', 'mongo://user:secret@localhost'],
      ['MONGODB_URL', 'mongodb://user:sec/ret@localhost'],
      ['MONGODB_URL', 'mongodb://localhost:port'],
      ['MONGODB_URL', 'mongodb://localhost/a.b'],
      ['MONGODB_URL', `mongodb://localhost/${'x'.repeat(64)}`],
      ['MONGODB_URL', 'mongodb+srv://cluster.example.org:27017'],
      ['MONGODB_URL', 'mongodb+srv://a.example.org,b.example.org'],
    ])('refuses %s=%s without repeating the URL', (variable, url) => {
      const [problem, ...others] = problemsOf({ ...BOTH, [variable]: url });
      expect(others).toEqual([]);
      expect(problem).toMatch(new RegExp(`^${variable} must be an? (esdb|mongodb):// or [^,]* URL, such as [^, ]+$`));
      expect(problem).not.toContain('secret');
    });

    it.each([
      ['esdb://user:s3cret@localhost:2113?tsl=false', 'has the option tsl, which does nothing here: there are tls, '],
      ['esdb://user:s3cret@localhost:2113?tls=true&tlsVerifyCert=false', 'has the option tlsVerifyCert, which does'],
      ['esdb://user:s3cret@localhost:2113?tls=no', 'must say tls=true or tls=false'],
      ['esdb://user:s3cret@[::1]:2113', 'names an IPv6 address'],
      ['esdb://s3cret@localhost:2113', 'must have user:password before the @'],
      ['esdb://user:s3cret:more@localhost:2113', 'must have user:password before the @'],
      ['esdb://user:s3cret%@localhost:2113', 'must have user:password before the @'],
    ])('refuses EVENTSTORE_URL=%s, which the client would misread, without repeating its password', (url, says) => {
      const [problem, ...others] = problemsOf({ ...BOTH, EVENTSTORE_URL: url });
      expect(others).toEqual([]);
      expect(problem).toContain(`EVENTSTORE_URL ${says}`);
      expect(problem).not.toContain('s3cret');
    });

    it.each(['two words', 'a/b', '$all', 'ü', 'x'.repeat(65)])('refuses the stream prefix %j', (prefix) => {
      expect(problemsOf({ ...BOTH, ANNALS_STREAM_PREFIX: prefix })).toEqual([
        `ANNALS_STREAM_PREFIX must be at most 64 letters, digits, dots, hyphens and underscores, not "${prefix}"`,
      ]);
    });
  });

  it('names every problem at once, each with the source of its value', () => {
    const problems = problemsOf({ ANNALS_PORT: 'abc', ANNALS_LOG_LEVEL: 'loud' }, { rateLimit: 'much' });
    expect(problems).toHaveLength(3);
    expect(problems.join('\n')).toMatch(/^ANNALS_PORT must be/m);
    expect(problems.join('\n')).toMatch(/^ANNALS_LOG_LEVEL must be/m);
    expect(problems.join('\n')).toMatch(/^--rate-limit must be .*, not "much"$/m);
  });

  it('ignores settings that the command does not take', () => {
    expect(readConfig('log', {}, { ANNALS_PORT: 'abc', ANNALS_DATA_DIR: '/srv/annals' })).toMatchObject({
      port: 9991,
      dataDirectory: '/srv/annals',
    });
  });

  it('has one row, one variable and one flag for each property', () => {
    const rows = [...settings.values()];
    expect([...settings.keys()].sort()).toEqual(Object.keys(readConfig('start', {}, {})).sort());
    expect(new Set(rows.map((row) => row.environment)).size).toBe(rows.length);
    expect(new Set(rows.map((row) => row.flag)).size).toBe(rows.length);
  });

  it('finds variables that look like settings and are none', () => {
    expect(unknownVariables({ ANNALS_PROT: '1', ANNALS_PORT: '2', HOME: '/root' })).toEqual(['ANNALS_PROT']);
  });
});

describe('the public URL', () => {
  it.each([
    ['127.0.0.1', null, 'http://127.0.0.1:9000'],
    ['::1', null, 'http://[::1]:9000'],
    ['0.0.0.0', null, 'http://localhost:9000'],
    ['::', null, 'http://localhost:9000'],
    ['0.0.0.0', 'https://chat.example.org', 'https://chat.example.org'],
  ])('of a server on %s with site %s is %s', (host, site, url) => {
    expect(siteUrl({ host, site }, 9000)).toBe(url);
  });
});
