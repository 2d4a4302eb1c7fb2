import { Controller, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsOptional, IsString } from 'class-validator';
import type { ChannelFolderForClients } from '../../../directory/channel-folders-for-clients.js';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { AreIds, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { GetChannelFolders } from '../channel-folders.handlers.js';
import { ChangeChannelFolder, CreateChannelFolder, ReorderChannelFolders } from '../domain/channel-folders.js';

/** `GET /channel_folders` */
class GetChannelFoldersParameters {
  @OptionalFlag()
  readonly include_archived: boolean = false;
}

/** `POST /channel_folders/create` */
class CreateChannelFolderParameters {
  @IsString()
  readonly name!: string;

  @IsOptional()
  @IsString()
  readonly description: string = '';
}

/** `PATCH /channel_folders/{channel_folder_id}` */
class UpdateChannelFolderParameters {
  @IsOptional()
  @IsString()
  readonly name?: string;

  @IsOptional()
  @IsString()
  readonly description?: string;

  @OptionalFlag()
  readonly is_archived?: boolean;
}

/** `PATCH /channel_folders` */
class ReorderChannelFoldersParameters {
  @JsonText()
  @AreIds()
  readonly order!: readonly number[];
}

@Controller('channel_folders')
export class ChannelFoldersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(
    @Parameters(GetChannelFoldersParameters) { include_archived }: GetChannelFoldersParameters,
  ): Promise<{ readonly channel_folders: readonly ChannelFolderForClients[] }> {
    return {
      channel_folders: await this.queries.execute(new GetChannelFolders({ includeArchived: include_archived })),
    };
  }

  @Post('create')
  async create(
    @Caller() caller: Caller,
    @Parameters(CreateChannelFolderParameters) { name, description }: CreateChannelFolderParameters,
  ): Promise<{ readonly channel_folder_id: number }> {
    const command = { name, description, creatorId: caller.user._id, by: commandContext(caller) };
    return { channel_folder_id: await this.commands.execute(new CreateChannelFolder(command)) };
  }

  @Patch()
  async reorder(
    @Caller() caller: Caller,
    @Parameters(ReorderChannelFoldersParameters) { order }: ReorderChannelFoldersParameters,
  ): Promise<void> {
    await this.commands.execute(new ReorderChannelFolders({ order, by: commandContext(caller) }));
  }

  @Patch(':channel_folder_id')
  async update(
    @Caller() caller: Caller,
    @PathId('channel_folder_id') folderId: number,
    @Parameters(UpdateChannelFolderParameters) parameters: UpdateChannelFolderParameters,
  ): Promise<void> {
    const { name, description, is_archived: isArchived } = parameters;
    const changes = { name, description, isArchived };
    await this.commands.execute(new ChangeChannelFolder({ folderId, changes, by: commandContext(caller) }));
  }
}
