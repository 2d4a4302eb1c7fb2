import { Controller, Get, Patch, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import type { ChannelFolderForClients } from '../../../directory/channel-folders-for-clients.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  AreIds,
  JsonText,
  OptionalFlag,
  OptionalText,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { GetChannelFolders } from '../channel-folders.handlers.js';
import { ChangeChannelFolder, CreateChannelFolder, ReorderChannelFolders } from '../domain/channel-folders.js';

/** `GET /channel_folders` */
class GetChannelFoldersParameters {
  @OptionalFlag() readonly include_archived: boolean = false;
}

/** `POST /channel_folders/create` */
class CreateChannelFolderParameters {
  @IsString() readonly name!: string;
  @OptionalText() readonly description: string = '';
}

/** `PATCH /channel_folders/{channel_folder_id}` */
class UpdateChannelFolderParameters {
  @OptionalText() readonly name?: string;
  @OptionalText() readonly description?: string;
  @OptionalFlag() readonly is_archived?: boolean;
}

/** `PATCH /channel_folders` */
class ReorderChannelFoldersParameters {
  @JsonText() @AreIds() readonly order!: readonly number[];
}

@Controller('channel_folders')
export class ChannelFoldersController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(
    @Parameters() { include_archived }: GetChannelFoldersParameters,
  ): Promise<{ readonly channel_folders: readonly ChannelFolderForClients[] }> {
    return { channel_folders: await this.dispatch.ask(new GetChannelFolders({ includeArchived: include_archived })) };
  }

  @Post('create')
  async create(
    @Caller() { user, by }: Caller,
    @Parameters() { name, description }: CreateChannelFolderParameters,
  ): Promise<{ readonly channel_folder_id: number }> {
    const command = { name, description, creatorId: user._id, by };
    return { channel_folder_id: await this.dispatch.do(new CreateChannelFolder(command)) };
  }

  @Patch()
  async reorder(@Caller() { by }: Caller, @Parameters() { order }: ReorderChannelFoldersParameters): Promise<void> {
    await this.dispatch.do(new ReorderChannelFolders({ order, by }));
  }

  @Patch(':channel_folder_id')
  async update(
    @Caller() { by }: Caller,
    @PathId('channel_folder_id') folderId: number,
    @Parameters() parameters: UpdateChannelFolderParameters,
  ): Promise<void> {
    const { name, description, is_archived: isArchived } = parameters;
    const changes = { name, description, isArchived };
    await this.dispatch.do(new ChangeChannelFolder({ folderId, changes, by }));
  }
}
