import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsInt, IsOptional, Max, Min } from 'class-validator';
import { MAX_NUMBER } from '../../kernel/value-type.js';
import { JsonText } from './parameter-decorators.js';

/** Ids are exact as JSON numbers, and in every store. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** The most ids in one list. */
const MAX_IDS = 20_000;

/**
 * An id of a channel, a user, a message or another thing. Takes ids that nothing can have: endpoints have words of their own
 * for what does not exist.
 */
export const IsId = (): PropertyDecorator => applyDecorators(IsInt(), Min(-MAX_ID), Max(MAX_ID));

/** A list of ids. Takes ids that nothing can have, as `IsId` does. */
export const AreIds = ({ least = -MAX_ID, most = MAX_IDS } = {}): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(most),
    IsInt({ each: true }),
    Min(least, { each: true }),
    Max(MAX_ID, { each: true }),
  );

/** A number of things that the client asks for. Endpoints may have a lower limit, with words of their own. */
export const IsCount = (): PropertyDecorator => applyDecorators(IsInt(), Min(0), Max(MAX_NUMBER));

/** A list of ids of users or groups, as a parameter. */
export const Ids = (): PropertyDecorator => applyDecorators(JsonText(), AreIds({ least: 1 }));

/** The same, which may be left out. */
export const OptionalIds = (): PropertyDecorator => applyDecorators(Ids(), IsOptional());
