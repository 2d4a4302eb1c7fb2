import { Controller, Delete, Get, Post } from '@nestjs/common';
import { IsBoolean } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { DEFAULT_LOGO_PATHS } from '../../../directory/organization-pictures.js';
import { FOR_A_DAY, type Redirect, ServedFile } from '../../../platform/http/answers/served-file.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';
import { readParameters } from '../../../platform/http/parameters/parameter-plan.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../platform/http/parameters/streamed-body.js';
import { Public } from '../../../platform/http/route-marks.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { pictureIn, shownPicture, toPicture } from '../../uploads/http/shown-pictures.js';
import { ChangeOrganizationPicture, RemoveOrganizationPicture } from '../domain/organization-pictures.js';
import { ORGANIZATION_PICTURE_ROUTE } from '../organization-pictures.routes.js';
import { GetOrganizationPicture, GetOrganizationPictureUrl } from '../queries/organization-pictures.queries.js';

const NOT_ONE_ICON = 'ICON_NOT_ONE_FILE';
const picture = 'icon';

@Controller('realm/icon')
export class IconController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async show(): Promise<Redirect> {
    return toPicture(await this.url());
  }

  @Post()
  @StreamsBody()
  async change(
    @Caller() { user, by }: Caller,
    @Streamed(NOT_ONE_ICON) body: StreamedBody,
    @Connection() connection: WatchedConnection,
  ): Promise<{ icon_url: string }> {
    const { content } = await pictureIn(body, NOT_ONE_ICON);
    const command = new ChangeOrganizationPicture({
      kind: picture,
      content,
      asker: { account: user._id, connection },
      becomes: async () => picture,
      by,
    });
    await this.dispatch.do(command);
    return { icon_url: await this.url() };
  }

  @Delete()
  async remove(@Caller() { by }: Caller): Promise<{ icon_url: string }> {
    await this.dispatch.do(new RemoveOrganizationPicture({ picture, by }));
    return { icon_url: await this.url() };
  }

  private url(): Promise<string> {
    return this.dispatch.ask(new GetOrganizationPictureUrl({ picture }));
  }
}

class LogoParameters {
  /** Whether the logo is the one of dark themes. */
  @JsonText() @IsBoolean() readonly night!: boolean;
}

/** Parameters of an upload in the query string. Clients send them beside the file instead. */
class LogoUploadParameters {
  @OptionalFlag() readonly night?: boolean;
}

const NOT_ONE_LOGO = 'LOGO_NOT_ONE_FILE';

const logoFor = (night: boolean) => (night ? 'nightLogo' : 'logo');

@Controller('realm/logo')
export class LogoController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async show(@Parameters() { night }: LogoParameters): Promise<Redirect> {
    return toPicture(await this.dispatch.ask(new GetOrganizationPictureUrl({ picture: logoFor(night) })));
  }

  @Post()
  @StreamsBody()
  async change(
    @Caller() { user, by }: Caller,
    @Parameters() inQuery: LogoUploadParameters,
    @Streamed(NOT_ONE_LOGO) body: StreamedBody,
    @Connection() connection: WatchedConnection,
  ): Promise<void> {
    const { content, fields } = await pictureIn(body, NOT_ONE_LOGO);
    const becomes = async () => {
      const { night = inQuery.night } = readParameters(LogoUploadParameters, await fields());
      return logoFor(night ?? refuse('REQUEST_VARIABLE_MISSING', { var_name: 'night' }));
    };
    const asker = { account: user._id, connection };
    await this.dispatch.do(new ChangeOrganizationPicture({ kind: 'logo', content, asker, becomes, by }));
  }

  @Delete()
  async remove(@Caller() { by }: Caller, @Parameters() { night }: LogoParameters): Promise<void> {
    const picture = logoFor(night);
    await this.dispatch.do(new RemoveOrganizationPicture({ picture, by }));
  }
}

/** The organization has no name in its default logo, because names are set in fonts. Three rings, one for each speaker. */
const logoIn = (ink: string): ServedFile =>
  new ServedFile({
    type: 'image/svg+xml',
    headers: FOR_A_DAY,
    content:
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100" fill="none"' +
      ` stroke="${ink}" stroke-width="8"><circle cx="60" cy="50" r="32"/><circle cx="100" cy="50" r="32"/>` +
      '<circle cx="140" cy="50" r="32"/></svg>',
  });

/** The logo of an organization that has uploaded none, for light and dark themes. */
const DEFAULT_LOGOS = { logo: logoIn('#333'), nightLogo: logoIn('#ddd') } as const;

/** The name of a file has a fixed length. */
const NAME = /^([\w-]{24})\.png$/;

/** Serves icon and logos to everybody: pages of logins show them. */
@Public()
@TakesNoTurn()
@Controller()
export class OrganizationPictureFilesController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get(ORGANIZATION_PICTURE_ROUTE)
  async uploaded(@PathText('kind') picture: string, @PathText('picture') name: string): Promise<ServedFile> {
    const [, fileId] = NAME.exec(name) ?? refuse('SHOWN_PICTURE_NOT_FOUND');
    const found = await this.dispatch.ask(new GetOrganizationPicture({ picture, fileId: String(fileId) }));
    return shownPicture(found, this.dispatch);
  }

  @Get(DEFAULT_LOGO_PATHS.logo)
  defaultLogo(): ServedFile {
    return DEFAULT_LOGOS.logo;
  }

  @Get(DEFAULT_LOGO_PATHS.nightLogo)
  defaultNightLogo(): ServedFile {
    return DEFAULT_LOGOS.nightLogo;
  }
}
