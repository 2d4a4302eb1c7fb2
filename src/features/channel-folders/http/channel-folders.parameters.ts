import { IsOptional, IsString } from 'class-validator';
import { AreIds, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';

/** `GET /channel_folders` */
export class GetChannelFoldersParameters {
  @OptionalFlag()
  readonly include_archived: boolean = false;
}

/** `POST /channel_folders/create` */
export class CreateChannelFolderParameters {
  @IsString()
  readonly name!: string;

  @IsOptional()
  @IsString()
  readonly description: string = '';
}

/** `PATCH /channel_folders/{channel_folder_id}` */
export class UpdateChannelFolderParameters {
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
export class ReorderChannelFoldersParameters {
  @JsonText()
  @AreIds()
  readonly order!: readonly number[];
}
