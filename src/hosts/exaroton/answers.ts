// What is read of the API's answers (`{success, error, data}`). Whatever isn't needed may be missing.
import { z } from 'zod'
import { RpcError } from '../../host/management/messages.ts'

/** Characters. */
const TEXT_MOST = 2000
const NAMES_MOST = 2000

const text = z.string().max(TEXT_MOST).nullish().catch(null)
const number = z.number().nullish().catch(null)
const flag = z.boolean().nullish().catch(null)

export const Envelope = z.object({ success: z.boolean(), error: text, data: z.unknown().optional() })

export const Account = z.object({ name: text, email: text, verified: flag, credits: number })

export const ExarotonServer = z.object({
  id: z.string().min(1).max(100),
  name: z.string().max(1000),
  /** `name.exaroton.me`; `host` and `port` are there only while it is online. */
  address: text,
  status: z.number(),
  players: z
    .object({
      max: number,
      count: number,
      list: z
        .array(z.string())
        .transform((names) => names.filter((name) => name !== '' && name.length <= 64).slice(0, NAMES_MOST))
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
  software: z.object({ id: text, name: text, version: text }).nullish().catch(null),
})
export type ExarotonServer = z.output<typeof ExarotonServer>

/** GiB. */
export const Ram = z.object({ ram: z.number().positive() })

export const Logs = z.object({ content: z.string().nullish() })

const FileObject = z.object({ name: z.string().min(1), isDirectory: flag, size: number })
export type FileObject = z.output<typeof FileObject>

export const FileInfo = FileObject.extend({
  /** Of the folder itself it may be empty. */
  name: z.string(),
  /** Without children of their own. */
  children: z.array(FileObject.nullable().catch(null)).nullish().catch(null),
})
export type FileInfo = z.output<typeof FileInfo>

export const Names = z.array(z.unknown())

export const Frame = z.object({
  type: z.string(),
  stream: z.string().nullish(),
  data: z.unknown().optional(),
})
export type Frame = z.output<typeof Frame>

/** As `mc-server-management` reads what exaroton's client hands it. */
export const ManagementAnswer = z.object({
  id: z.string(),
  data: z
    .object({ success: flag, data: z.unknown().optional(), error: RpcError.nullish().catch(null) })
    .catch({ success: null, error: null }),
})
export type ManagementAnswer = z.output<typeof ManagementAnswer>

export const Stats = z.object({ memory: z.object({ usage: z.number() }) })
export const Tick = z.object({ averageTickTime: z.number().positive() })
