import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import {
  type LinkifierForClients,
  linkifiersForClients,
  type ProfileFieldForClients,
  profileFieldsForClients,
} from '../../../directory/organization-for-clients.js';
import { organizationPicture } from '../../../directory/organization-pictures.js';
import { ROLES } from '../../../events/shared/role.js';
import { API_VERSION } from '../../../platform/kernel/api-version.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { PUSH_SENDER, type PushSender } from '../../../platform/push/push-sender.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { renderMarkdown } from '../../markdown/render-markdown.js';

/**
 * Lists the default channels for a user's clients. Guests get none: they see only channels that they subscribe to (the
 * published behaviour of `default_streams`).
 */
export const defaultChannelIdsFor = (reader: Pick<UserRecord, 'role'>, directory: Directory): readonly number[] =>
  reader.role === ROLES.guest ? [] : (directory.organization?.defaultChannelIds ?? []);

export class GetLinkifiers extends Query<object, readonly LinkifierForClients[]> {}

export class GetProfileFields extends Query<object, readonly ProfileFieldForClients[]> {}

export class GetDefaultChannels extends Query<{ reader: UserRecord }, readonly number[]> {}

export const organizationQueries = [
  answersFrom(GetLinkifiers, Directory, (_query, { organization }) =>
    organization ? linkifiersForClients(organization) : [],
  ),
  answersFrom(GetProfileFields, Directory, (_query, { organization }) =>
    organization ? profileFieldsForClients(organization) : [],
  ),
  answersFrom(GetDefaultChannels, Directory, ({ reader }, directory) => defaultChannelIdsFor(reader, directory)),
];

export class GetServerSettings extends Query<object, object> {}

const AUTHENTICATION_METHODS = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  apple: false,
  google: false,
  saml: false,
  'openid connect': false,
} as const;

@QueryHandler(GetServerSettings)
export class GetServerSettingsHandler implements IQueryHandler<GetServerSettings> {
  /** The last text and its HTML. Each text is rendered only once, because anybody can call the endpoint often. */
  private rendered = { text: '', html: '' };

  constructor(
    private readonly directory: Directory,
    @Inject(SITE) private readonly site: () => string,
    @Inject(PUSH_SENDER) private readonly pushSender: PushSender | null,
  ) {}

  async execute(): Promise<object> {
    return {
      ...API_VERSION,
      authentication_methods: AUTHENTICATION_METHODS,
      external_authentication_methods: [],
      push_notifications_enabled: this.pushSender !== null,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_uri: this.site(),
      realm_url: this.site(),
      realm_name: this.directory.setting('name'),
      realm_icon: this.icon(),
      realm_description: this.description(),
      realm_web_public_access_enabled: false,
    };
  }

  private icon(): string {
    const { organization } = this.directory;
    return organization ? organizationPicture('icon', organization).url : '';
  }

  private description(): string {
    const text = this.directory.setting('description');
    if (text !== this.rendered.text) this.rendered = { text, html: text === '' ? '' : renderMarkdown(text) };
    return this.rendered.html;
  }
}
