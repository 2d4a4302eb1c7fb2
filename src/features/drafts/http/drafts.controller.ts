import {
  type CanActivate,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  Injectable,
  Patch,
  Post,
  UseGuards,
} from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEmpty,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { SYNCHRONIZATION } from '../../../events/drafts/drafts.events.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { edge } from '../../../platform/http/edge-state.js';
import { AreIds, JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { UserSettings } from '../../personal/services/user-settings.js';
import { CreateDrafts, DeleteDraft, EditDraft } from '../domain/drafts.js';
import type { WrittenDraft } from '../domain/written-draft.js';
import { type DraftForClients, GetDrafts } from '../queries/drafts.queries.js';

const MOST_AT_ONCE = 100;
const MOST_ADDRESSEES = 1000;
/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

const TYPES = { '': 'unaddressed', stream: 'channel', private: 'direct' } as const;

class DraftParameters {
  @IsEmpty({ message: 'A draft is given its id by the server' }) readonly id?: undefined;
  @IsIn(Object.keys(TYPES)) readonly type!: keyof typeof TYPES;
  @AreIds({ most: MOST_ADDRESSEES }) readonly to!: readonly number[];
  @IsString() readonly topic!: string;
  @IsString() readonly content!: string;
  @IsOptional() @IsNumber() @Min(-LATEST) @Max(LATEST) readonly timestamp?: number | null;
}

/** `POST /drafts` */
class CreateDraftsParameters {
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MOST_AT_ONCE)
  @ValidateNested({ each: true })
  @Type(() => DraftParameters)
  readonly drafts!: readonly DraftParameters[];
}

/** `PATCH /drafts/{draft_id}` */
class EditDraftParameters {
  @JsonText() @IsObject() @ValidateNested() @Type(() => DraftParameters) readonly draft!: DraftParameters;
}

const writtenDraft = ({ type, to, topic, content, timestamp }: DraftParameters): WrittenDraft => ({
  type: TYPES[type],
  to,
  topic,
  content,
  timestamp: timestamp ?? null,
});

/** Refuses every request for drafts of a user who has turned their synchronization off. */
@Injectable()
export class SynchronizedDraftsGuard implements CanActivate {
  constructor(private readonly settings: UserSettings) {}

  canActivate(context: ExecutionContext): true {
    const { user } = context.switchToHttp().getRequest<FastifyRequest>()[edge];
    if (user && !this.settings.value(user._id, SYNCHRONIZATION)) refuse('DRAFTS_NOT_SYNCHRONIZED');
    return true;
  }
}

@Controller('drafts')
@UseGuards(SynchronizedDraftsGuard)
export class DraftsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ count: number; drafts: readonly DraftForClients[] }> {
    const drafts = await this.dispatch.ask(new GetDrafts({ userId: user._id }));
    return { count: drafts.length, drafts };
  }

  @Post()
  async create(
    @Caller() { user, by }: Caller,
    @Parameters() { drafts }: CreateDraftsParameters,
  ): Promise<{ ids: readonly number[] }> {
    const command = new CreateDrafts({ userId: user._id, drafts: drafts.map(writtenDraft), by });
    return { ids: await this.dispatch.do(command) };
  }

  @Patch(':draft_id')
  async edit(
    @Caller() { user, by }: Caller,
    @PathId('draft_id') draftId: number,
    @Parameters() { draft }: EditDraftParameters,
  ): Promise<void> {
    await this.dispatch.do(new EditDraft({ userId: user._id, draftId, draft: writtenDraft(draft), by }));
  }

  @Delete(':draft_id')
  async remove(@Caller() { user, by }: Caller, @PathId('draft_id') draftId: number): Promise<void> {
    await this.dispatch.do(new DeleteDraft({ userId: user._id, draftId, by }));
  }
}
