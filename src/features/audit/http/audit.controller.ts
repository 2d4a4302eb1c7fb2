import { Controller, Get, Header, Headers } from '@nestjs/common';
import { IsIn, IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { JsonInTurns } from '../../../platform/http/answers/json-in-turns.js';
import type { TextInTurns } from '../../../platform/http/answers/text-in-turns.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  Id,
  IsNamedTime,
  JsonText,
  OptionalFlag,
  OptionalId,
  RefusesUnknown,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { NamedTime } from '../../../platform/kernel/named-time.js';
import {
  GetAuditActivity,
  GetAuditEvents,
  GetAuditors,
  GetMessageThen,
  ListAuditEvents,
} from '../queries/audit.queries.js';
import type { AuditActivity } from '../queries/audit-activity.js';
import type { AuditOrder } from '../queries/audit-question.js';
import { GetAuditProofs } from '../queries/get-audit-proofs.handler.js';
import { AuditReads } from '../services/audit-reads.js';
import { AuditQuestionParameters, questionOf } from './audit-question.parameters.js';
import { auditTexts, textFormatFor } from './audit-texts.js';

const MOST_EVENTS = 1000;

/** `GET /audit/events`: only what all parameters together describe. */
@RefusesUnknown()
export class AuditEventsParameters extends AuditQuestionParameters {
  @IsOptional() @IsIn(['newest', 'oldest']) readonly order: AuditOrder = 'newest';
  @JsonText() @IsOptional() @IsInt() @Min(1) @Max(MOST_EVENTS) readonly limit?: number;

  /** Whether each event has a proof that the log has it. */
  @OptionalFlag() readonly proofs?: boolean;

  /** Whether the answer has the words that the events still have. */
  @OptionalFlag() readonly words?: boolean;
}

const DEFAULT_LIMIT = 100;

@Controller('audit')
export class AuditController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly reads: AuditReads,
  ) {}

  @Get('events')
  @Header('Vary', 'Accept')
  async events(
    @Caller() { user, by }: Caller,
    @Parameters() asked: AuditEventsParameters,
    @Connection() connection: WatchedConnection,
    @Headers('accept') accept?: string,
  ): Promise<JsonInTurns | TextInTurns> {
    const { order, limit, proofs = false, words = false } = asked;
    const question = questionOf(asked);
    const asking = { reader: user, question, connection, proofs, wordsBy: words ? by : null };
    const after = asked.after ?? null;
    const format = textFormatFor(accept);
    if (format) {
      if (proofs && format.name === 'csv') refuse('PROOFS_IN_TABLE');
      const range = { order, after, limit: limit ?? null };
      const pages = await this.dispatch.ask(new ListAuditEvents({ ...asking, range }));
      this.reads.events(question, format.name, by);
      return auditTexts(format, pages);
    }
    const page = { order, after, limit: limit ?? DEFAULT_LIMIT };
    const answer = await this.dispatch.ask(new GetAuditEvents({ ...asking, page }));
    this.reads.events(question, 'json', by);
    return JsonInTurns.of(answer);
  }
}

const MOST_SECONDS = 10 * 366 * 24 * 3600;

/** `GET /audit/activity`: how many events of a question there are, by time. */
@RefusesUnknown()
export class AuditActivityParameters extends AuditQuestionParameters {
  /** Of a part of time: seconds. */
  @JsonText() @IsInt() @Min(1) @Max(MOST_SECONDS) readonly width!: number;
}

@Controller('audit')
export class AuditActivityController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly reads: AuditReads,
  ) {}

  @Get('activity')
  async activity(
    @Caller() { user, by }: Caller,
    @Parameters() asked: AuditActivityParameters,
    @Connection() connection: WatchedConnection,
  ): Promise<AuditActivity> {
    const question = questionOf(asked);
    const { width, after = null } = asked;
    const query = { reader: user, question, connection, proofs: false, wordsBy: null, width, after };
    const answer = await this.dispatch.ask(new GetAuditActivity(query));
    this.reads.events(question, 'json', by);
    return answer;
  }
}

/** `GET /audit/message` */
@RefusesUnknown()
export class AuditMessageParameters {
  @Id() readonly message_id!: number;

  /** The time's last millisecond counts; absent: now. */
  @IsOptional() @IsNamedTime() readonly as_of?: NamedTime;

  /** Whether the answer has the words of the message, if the log still has them. */
  @OptionalFlag() readonly words?: boolean;
}

@Controller('audit')
export class AuditMessageController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly reads: AuditReads,
  ) {}

  @Get('message')
  async message(
    @Caller() { user, by }: Caller,
    @Parameters() { message_id: messageId, as_of, words = false }: AuditMessageParameters,
    @Connection() connection: WatchedConnection,
  ): Promise<JsonInTurns> {
    const question = { messageId, asOf: as_of?.to ?? null };
    const answer = await this.dispatch.ask(
      new GetMessageThen({ reader: user, question, connection, wordsBy: words ? by : null }),
    );
    this.reads.message(question, by);
    return JsonInTurns.of(answer);
  }
}

/** `GET /audit/proof`: one of the two. */
@RefusesUnknown()
export class AuditProofParameters {
  @IsOptional() @IsUUID() readonly event_id?: string;
  @OptionalId() readonly message_id?: number;
}

@Controller('audit')
export class AuditProofController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly reads: AuditReads,
  ) {}

  @Get('auditors')
  auditors(@Caller() { user }: Caller): Promise<object> {
    return this.dispatch.ask(new GetAuditors({ reader: user }));
  }

  @Get('proof')
  async proof(
    @Caller() { user, by }: Caller,
    @Parameters() { event_id, message_id }: AuditProofParameters,
    @Connection() connection: WatchedConnection,
  ): Promise<JsonInTurns> {
    const asked = { eventId: event_id ?? null, messageId: message_id ?? null };
    const proofs = await this.dispatch.ask(new GetAuditProofs({ ...asked, reader: user, connection }));
    this.reads.proof(asked, by);
    return JsonInTurns.of({ proofs });
  }
}
