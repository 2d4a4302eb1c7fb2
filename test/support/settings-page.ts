import type { SettingName } from '../../src/app/config/config.js';
import { type CommandName, fileVariable, flagName, type Setting } from '../../src/platform/settings/setting.js';

/** Every setting under the question that an operator has. */
const QUESTIONS: Readonly<Record<string, readonly SettingName[]>> = {
  'Where are the data?': ['dataDirectory', 'eventStoreUrl', 'mongodbUrl', 'streamPrefix'],
  'Under which address do people reach it?': ['host', 'port', 'site', 'page', 'trustedProxies'],
  'What does the first start create?': ['organization', 'ownerEmail', 'ownerName', 'ownerPassword'],
  'How does it send mails?': ['smtpUrl', 'mailFrom'],
  'How do notifications reach phones?': [
    ...(['apnsKeyFile', 'apnsKeyId', 'apnsTeamId', 'apnsSandbox', 'apnsUrl', 'apnsCaFile'] as const),
    ...(['fcmServiceAccountFile', 'fcmUrl', 'pushKeysFile'] as const),
    ...(['pushBouncerUrl', 'pushBouncerOrgId', 'pushBouncerOrgKey'] as const),
  ],
  'Who can log in, and for how long?': ['passwordMinLength', 'apiKeyIdleDays'],
  'How many people can be invited, and who greets them?': [
    'welcomeMessages',
    ...(['invitationsPerMember', 'invitationsPerAdministrator', 'invitationsPerOrganization'] as const),
    ...(['joinsPerLink', 'invitationPauseSeconds'] as const),
  ],
  'How much may clients ask for?': [
    ...(['rateLimit', 'waitingCommands', 'maxFileUploadMib', 'answerKib', 'answerWaitMs'] as const),
    ...(['heartbeatSeconds', 'queueIdleDays'] as const),
  ],
  'What may it ask other servers for?': ['outgoingPrivateNetworks', 'remotePictures', 'remotePicturesCacheMib'],
  'What is recorded, and for how long?': ['logLevel', 'metrics', 'addressDays', 'accessDays'],
  'How can others check the log?': [
    ...(['transparency', 'signingKeyFile', 'verifyAt', 'witnesses'] as const),
    ...(['checkpointsFile', 'checkpointSeconds', 'checkpointWebhookUrl'] as const),
  ],
  'What if something is missing or damaged?': ['acceptRestoredLog', 'acceptMissingKeys', 'skip'],
};

/** Commands that run a server, which the table need not name if all of them take a setting. */
const SERVERS: readonly CommandName[] = ['start', 'api', 'projections'];

/** Writes docs/settings.md. @throws Error if a setting is under no question, or under two */
export function settingsPage(settings: ReadonlyMap<SettingName, Setting>): string {
  const asked = Object.values(QUESTIONS).flat();
  const missing = [...settings.keys()].filter((name) => !asked.includes(name));
  const twice = asked.filter((name, at) => asked.indexOf(name) !== at);
  if (missing.length > 0 || twice.length > 0)
    throw new Error(`QUESTIONS in test/support/settings-page.ts: missing ${missing}, twice ${twice}`);
  const sections = Object.entries(QUESTIONS).map(([question, names]) => {
    const rows = names.flatMap((name) => settings.get(name) ?? []).map(row);
    return `## ${question}\n\n| variable, flag | what | must be | default | taken by |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `${HEAD}\n${sections.join('\n')}`;
}

function row(setting: Setting): string {
  const file = fileVariable(setting);
  const variables = `\`${setting.environment}\`${file ? ` or \`${file}\`` : ''}`;
  const initial = setting.default === null ? '' : setting.default === '' ? 'empty' : `\`${setting.default}\``;
  const cells = [`${variables}, \`${flagName(setting)}\``, setting.about, setting.allowed, initial, takers(setting)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function takers({ commands }: Setting): string {
  const isOfServers = SERVERS.every((command) => commands.includes(command));
  const others = commands.filter((command) => !isOfServers || !SERVERS.includes(command));
  return [...(isOfServers ? ['every server'] : []), ...others.map((command) => `\`${command}\``)].join(', ');
}

const HEAD = `# Settings

Made from the declarations in \`src/app/config\`: \`UPDATE_DOCS=1 npm test -- settings-page\` writes this page, and the same spec fails
when it is no longer true. [Operations](operations.md) tells how to use them.

Each setting is an environment variable, and a flag of the commands that take it; the flag counts more. A variable with \`_FILE\` at its
end names a file with the value. A variable that begins with \`ANNALS_\` and is no setting is named at the start.
`;
