import { z } from 'zod'
import { fieldError } from '../messages/refusals/field-error.ts'
import { alsoNamed, ID_NAMES } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { all, json, list, Paging, Time, always, maybe } from '../declarations/operation.ts'

const { read, write } = area('promocodes')

export const Benefits = z.object({
  servers: maybe.whole,
  /** MiB, for all servers together. */
  memoryMb: maybe.whole,
  /** Bytes per server. */
  diskBytes: maybe.whole,
})
export type Benefits = z.infer<typeof Benefits>

/** An activated promocode. The code itself is never returned. */
export const Promotion = alsoNamed(
  z.object({
    id: always.filled,
    name: maybe.text,
    benefits: Benefits.nullish(),
    activatedAt: Time.nullish(),
    /** Null: never. */
    endsAt: Time.nullish(),
    active: maybe.flag,
  }),
  {
    id: ID_NAMES,
    name: ['title', 'displayName', 'label'],
    activatedAt: ['usedAt', 'redeemedAt', 'appliedAt'],
    endsAt: ['expiresAt', 'validUntil'],
    active: ['isActive'],
  },
)
export type Promotion = z.infer<typeof Promotion>

/** `limited` is false if there is no limit. */
const Limit = z.object({
  used: maybe.number,
  most: maybe.number,
  limited: maybe.flag,
})

export const AccountLimits = z.object({
  servers: Limit.nullish(),
  /** MiB, for all servers together. */
  memoryMb: Limit.nullish(),
  diskBytes: Limit.nullish(),
})
export type AccountLimits = z.infer<typeof AccountLimits>

export const promocodes = {
  /** Refused with `promocode.unknown`, `.expired`, `.used-up` or `.already-used`. */
  activate: write({
    id: 'promocodes.activate',
    summary: 'Activate a promocode',
    method: 'POST',
    path: '/promocodes/activate',
    origin: 'assumed',
    body: alsoNamed(
      z.object({ code: z.string().trim().min(1, fieldError('request.invalid.code')).max(100) }),
      {
        code: ['promocode', 'promoCode', 'coupon', 'voucher'],
      },
    ),
    answer: json(Promotion),
    stale: ['promocodes.list', 'promocodes.limits'],
  }),
  list: read({
    id: 'promocodes.list',
    summary: "List the account's used promocodes and their benefits",
    path: '/promocodes/me',
    origin: 'assumed',
    query: Paging,
    answer: list(Promotion, 'id'),
    pages: all(500, 100),
    keep: 'memory',
  }),
  limits: read({
    id: 'promocodes.limits',
    summary: "Get the account's limits and usage",
    path: '/users/me/limits',
    origin: 'extension',
    answer: json(AccountLimits),
    keep: 'memory',
  }),
}
