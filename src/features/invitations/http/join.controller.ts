import { Controller, Get, Inject, Injectable, Ip, Post } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { Requester } from '../../../directory/http/caller.decorator.js';
import { MAX_EMAIL } from '../../../events/users/users.settings.js';
import { addressBlock } from '../../../platform/http/address-block.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { LinkGuesses } from '../../../platform/http/logins/link-guesses.js';
import { inHour, SharedLimits } from '../../../platform/http/logins/shared-limits.js';
import { OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/route-marks.js';
import { type CommandContext, refuse } from '../../../platform/kernel/deciding.js';
import type { Page } from '../../../platform/pages/page.js';
import { PAGE_SETTINGS, type PageSettings } from '../../page/page.settings.js';
import { PasswordRule } from '../../users/domain/password.js';
import { AcceptInvitation, ConfirmJoin } from '../domain/accept-invitation.js';
import { FindLink, type FoundLink } from '../queries/invitations.queries.js';
import { joinedPage, joinPage, mailSentPage, orForm, registerPage } from './join-pages.js';

/** `POST /accounts/register/`. Without a password, the form is shown. */
class RegisterParameters {
  @IsString() readonly key!: string;
  @OptionalText() readonly full_name: string = '';
  @OptionalText() readonly password?: string;
}

/** `POST /join/{key}/` */
class JoinParameters {
  @IsString() @MaxLength(MAX_EMAIL) readonly email!: string;
}

/** A whole office may join from one address. */
const MAILS_AN_HOUR = 100;

/** Limits the mails that one client can have sent by links for many. The log counts them by link and by addressee. */
@Injectable()
export class JoinMailLimit {
  constructor(private readonly limits: SharedLimits) {}

  /** @throws DomainError RATE_LIMIT_HIT */
  async consume(ip: string): Promise<void> {
    await this.limits.consume(inHour(`join mails from ${addressBlock(ip)}`, MAILS_AN_HOUR));
  }
}

/** The pages of those who join. Opening a page uses no link: programs that look through mails open it, too. */
@Public()
@Controller()
export class JoinController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly guesses: LinkGuesses,
    private readonly mails: JoinMailLimit,
    private readonly passwords: PasswordRule,
    @Inject(PAGE_SETTINGS) private readonly page: PageSettings,
  ) {}

  @Get('accounts/do_confirm/:key')
  async confirm(@PathText('key') key: string, @Ip() ip: string): Promise<Page> {
    return registerPage(key, await this.mailedLink(key, ip), this.passwords.least);
  }

  @Post('accounts/register')
  async register(
    @Requester() by: CommandContext,
    @Ip() ip: string,
    @Parameters() { key, full_name: fullName, password }: RegisterParameters,
  ): Promise<Page> {
    const link = await this.mailedLink(key, ip);
    if (password === undefined) return registerPage(key, link, this.passwords.least, fullName);
    const { tokenHash, email, welcomeText } = link;
    const command = new AcceptInvitation({ tokenHash, applicant: { email, fullName, password, welcomeText }, by });
    return orForm(
      async () => {
        await this.dispatch.do(command);
        return joinedPage(link, this.page);
      },
      (refused) => registerPage(key, link, this.passwords.least, fullName, refused),
    );
  }

  @Get('join/:key')
  async openJoin(@PathText('key') key: string, @Ip() ip: string): Promise<Page> {
    return joinPage(key, await this.linkForMany(key, ip));
  }

  @Post('join/:key')
  async join(
    @Requester() by: CommandContext,
    @PathText('key') key: string,
    @Ip() ip: string,
    @Parameters() { email }: JoinParameters,
  ): Promise<Page> {
    const link = await this.linkForMany(key, ip);
    await this.mails.consume(ip);
    const address = email.trim();
    return orForm(
      async () => {
        await this.dispatch.do(new ConfirmJoin({ tokenHash: link.tokenHash, email: address, by }));
        return mailSentPage(address);
      },
      (refused) => joinPage(key, link, email, refused),
    );
  }

  private mailedLink(key: string, ip: string): Promise<FoundLink & { readonly email: string }> {
    return this.guesses.counted(ip, key, async (tokenHash) => {
      const { email, ...link } = await this.dispatch.ask(new FindLink({ tokenHash }));
      return { ...link, email: email ?? refuse('LINK_UNUSABLE') };
    });
  }

  private linkForMany(key: string, ip: string): Promise<FoundLink> {
    return this.guesses.counted(ip, key, async (tokenHash) => {
      const link = await this.dispatch.ask(new FindLink({ tokenHash }));
      return link.email === null ? link : refuse('LINK_UNUSABLE');
    });
  }
}
