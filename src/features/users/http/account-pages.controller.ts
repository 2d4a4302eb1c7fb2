import { Controller, Get, Inject, Ip, Param, Post } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import { Requester } from '../../../directory/http/caller.decorator.js';
import { MAX_PASSWORD } from '../../../events/users/users.settings.js';
import { addressBlock } from '../../../platform/http/address-block.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { LinkGuesses } from '../../../platform/http/logins/link-guesses.js';
import { LoginLimits } from '../../../platform/http/logins/login-limits.js';
import { inMinute, SharedLimits } from '../../../platform/http/logins/shared-limits.js';
import { OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { Public } from '../../../platform/http/route-marks.js';
import { type CommandContext, DomainError } from '../../../platform/kernel/deciding.js';
import { markup } from '../../../platform/pages/markup.js';
import { form, type Page, page, saying } from '../../../platform/pages/page.js';
import { wayIn } from '../../page/http/way-in.js';
import { PAGE_SETTINGS, type PageSettings } from '../../page/page.settings.js';
import { PasswordRule } from '../domain/password.js';
import {
  ConfirmEmailChange,
  RequestPasswordReset,
  ResetPassword,
  VetoEmailChange,
} from '../domain/use-account-link.js';
import { GetAccountLink, GetVetoedLink } from '../queries/account-links.queries.js';

/** Fields of the forms for a new password. */
class ResetParameters {
  @OptionalText() readonly email: string = '';
  @OptionalText() readonly new_password: string = '';
}

/** The least time of an answer, so that it does not tell which accounts exist. */
const LEAST_ANSWER_MS = 250;

/** Requests for a link to a new password from one address in a minute. */
const MOST_RESETS = 10;

/** Pages behind the links that change an address or a password. */
@Public()
@Controller('accounts')
export class AccountPagesController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly directory: Directory,
    private readonly guesses: LinkGuesses,
    private readonly limits: SharedLimits,
    private readonly logins: LoginLimits,
    private readonly passwords: PasswordRule,
    @Inject(PAGE_SETTINGS) private readonly page: PageSettings,
  ) {}

  @Get('confirm_new_email/:token')
  async showEmailChange(@Ip() ip: string, @Param('token') token: string): Promise<Page> {
    const ask = (hash: string) => this.dispatch.ask(new GetAccountLink({ tokenHash: hash, purpose: 'email' }));
    const { email, newEmail } = await this.guesses.counted(ip, token, ask);
    return page({
      title: 'Confirm your new address',
      body: markup`<p>The address of your account becomes <strong>${newEmail ?? ''}</strong>. It is ${email} now.</p>
${form({ action: `/accounts/confirm_new_email/${token}`, fields: [], button: 'Confirm' })}`,
    });
  }

  @Post('confirm_new_email/:token')
  async confirmEmail(@Ip() ip: string, @Param('token') token: string, @Requester() by: CommandContext): Promise<Page> {
    await this.guesses.counted(ip, token, async (hash) => {
      const { userId } = await this.dispatch.ask(new GetAccountLink({ tokenHash: hash, purpose: 'email' }));
      await this.dispatch.do(new ConfirmEmailChange({ tokenHash: hash, by: { ...by, actorId: userId } }));
    });
    return saying('Your address has changed', 'Use the new address from now on when you log in.');
  }

  @Get('stop_new_email/:token')
  async showVeto(@Ip() ip: string, @Param('token') token: string): Promise<Page> {
    const ask = (hash: string) => this.dispatch.ask(new GetVetoedLink({ vetoHash: hash }));
    const { email, newEmail } = await this.guesses.counted(ip, token, ask);
    return page({
      title: 'End the request for a new address',
      body: markup`<p>Somebody has asked to change the address of your account from ${email} to <strong>${newEmail ?? ''}</strong>.</p>
${form({ action: `/accounts/stop_new_email/${token}`, fields: [], button: 'Keep the present address' })}`,
    });
  }

  @Post('stop_new_email/:token')
  async vetoEmail(@Ip() ip: string, @Param('token') token: string, @Requester() by: CommandContext): Promise<Page> {
    await this.guesses.counted(ip, token, async (hash) => {
      const { userId } = await this.dispatch.ask(new GetVetoedLink({ vetoHash: hash }));
      await this.dispatch.do(new VetoEmailChange({ vetoHash: hash, by: { ...by, actorId: userId } }));
    });
    return page({
      title: 'Your address stays as it is',
      body: markup`<p>The request has ended. Whoever asked is logged in as you, unless it was you yourself.</p>
<p><a href="/accounts/password/reset/">Choose a new password</a>: it ends all logins of your account.</p>`,
    });
  }

  @Get('password/reset')
  askForReset(): Page {
    return page({
      title: 'Choose a new password',
      body: form({
        action: '/accounts/password/reset/',
        fields: [{ name: 'email', label: 'Address of your account', type: 'email', autocomplete: 'username' }],
        button: 'Send me a link',
      }),
    });
  }

  /** Answers alike for every address. */
  @Post('password/reset')
  async requestReset(
    @Ip() ip: string,
    @Requester() by: CommandContext,
    @Parameters() { email }: ResetParameters,
  ): Promise<Page> {
    await this.limits.consume(inMinute(`password reset from ${addressBlock(ip)}`, MOST_RESETS));
    const user = this.directory.userByEmail(email.trim());
    const asked = user ? this.dispatch.do(new RequestPasswordReset({ userId: user._id, by })) : Promise.resolve();
    await Promise.all([asked.catch(ignoreRefusal), new Promise((done) => setTimeout(done, LEAST_ANSWER_MS))]);
    return saying(
      'Look into your mailbox',
      'If there is an account with this address, a mail with a link is on its way. It may take some minutes.',
    );
  }

  @Get('password/reset/:token')
  async showReset(@Ip() ip: string, @Param('token') token: string): Promise<Page> {
    return this.guesses.counted(ip, token, async (hash) => {
      const { email } = await this.dispatch.ask(new GetAccountLink({ tokenHash: hash, purpose: 'password' }));
      return resetPage({ token, email, least: this.passwords.least });
    });
  }

  @Post('password/reset/:token')
  async reset(
    @Ip() ip: string,
    @Param('token') token: string,
    @Requester() by: CommandContext,
    @Parameters() { new_password: password }: ResetParameters,
  ): Promise<Page> {
    return this.guesses.counted(ip, token, async (hash) => {
      const { email, userId } = await this.dispatch.ask(new GetAccountLink({ tokenHash: hash, purpose: 'password' }));
      const { least } = this.passwords;
      if (this.passwords.fault(password) !== null) {
        const problem = `A password has ${least} to ${MAX_PASSWORD} characters.`;
        return resetPage({ token, email, least, problem });
      }
      await this.dispatch.do(new ResetPassword({ tokenHash: hash, password, by: { ...by, actorId: userId } }));
      // While strangers guess at the account, its owner can log in from here.
      this.logins.remember({ address: ip, account: email });
      return page({
        title: 'Your password has changed',
        body: markup`<p>Every login of your account has ended. Log in with the new password.</p>
${wayIn(this.page)}`,
      });
    });
  }
}

interface Reset {
  readonly token: string;
  readonly email: string;
  /** The fewest characters of a password. */
  readonly least: number;
  readonly problem?: string;
}

function resetPage({ token, email, least, problem }: Reset): Page {
  return page({
    title: 'Choose a new password',
    status: problem === undefined ? 200 : 400,
    body: form({
      action: `/accounts/password/reset/${token}/`,
      fields: [
        { name: 'email', label: 'Account', type: 'email', autocomplete: 'username', value: email, isFixed: true },
        {
          name: 'new_password',
          label: 'New password',
          type: 'password',
          autocomplete: 'new-password',
          minLength: least,
          maxLength: MAX_PASSWORD,
          hint: `${least} characters or more`,
        },
      ],
      button: 'Save',
      problem,
    }),
  });
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}
