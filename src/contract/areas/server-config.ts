import { z } from 'zod'
import { isNameLine } from '../messages/one-line.ts'
import { fieldError } from '../messages/refusals/field-error.ts'
import { alsoNamed } from '../declarations/also-named.ts'
import { JavaConfigChange, JavaConfig } from './values/java-config.ts'
import { OpenToChange, GamePort, OpenTo } from './open-to.ts'
import { PropertyChanges, ServerProperty } from './values/server-properties.ts'
import { ContainerConfig, ContainerConfigChange } from './values/container-config.ts'
import { openEnum, always, maybe } from '../declarations/operation.ts'

/** Who wakes a sleeping server by joining it. Names are not verified: only the server itself can do that. */
export const WAKES = ['anybody', 'whitelist', 'nobody'] as const

/** Without `afterMinutes` it stays on: null would count as not told. An extension. */
const SleepConfig = z.object({
  /** So long without players. */
  afterMinutes: maybe.whole,
  wake: openEnum(WAKES).nullish(),
})

/** Null turns it off. */
const SleepConfigChange = z.object({
  afterMinutes: z.number().int().min(1).max(1440),
  wake: z.enum(WAKES),
})

/** 1 to 60 graphemes, no control characters. */
export const ServerName = z
  .string()
  .trim()
  .min(1, fieldError('request.invalid.name'))
  .refine(isNameLine, fieldError('request.invalid.name-line'))
  .refine(
    // Longer ones are refused below; segmenting them would take seconds.
    (name) => name.length > 5000 || [...new Intl.Segmenter().segment(name)].length <= 60,
    fieldError('request.invalid.name-long', { most: 60 }),
  )
  .refine((name) => name.length <= 500, fieldError('request.invalid.name-longer'))

export const MemoryMb = z
  .number()
  .int(fieldError('request.invalid.memory'))
  .min(256, fieldError('request.invalid.memory-least', { least: 256 }))
  .max(262144)

export const ServerConfig = alsoNamed(
  z.object({
    name: always.text,
    memoryMb: maybe.number,
    port: maybe.whole,
    openTo: OpenTo.nullish(),
    ...JavaConfig.shape,
    ...ContainerConfig.shape,
    /** Absent where the service can't tell who is on. An extension. */
    sleep: SleepConfig.nullish(),
    /** What the running process was started with; valid until the next start. An extension. */
    running: z
      .object({
        memoryMb: maybe.number,
        port: maybe.whole,
        openTo: OpenTo.nullish(),
        java: maybe.text,
        driver: maybe.text,
      })
      .nullish(),
    /** Links that lead out of its folder, kept when deleting; an empty name is the folder itself. An extension. */
    linksOut: z.array(z.string()).nullish(),
    /** The software's settings file; null if it has none. */
    properties: z.array(ServerProperty).nullish(),
  }),
  { name: ['title', 'displayName', 'label'] },
)
export type ServerConfig = z.output<typeof ServerConfig>

export const ServerConfigChange = z.object({
  name: ServerName.optional(),
  memoryMb: MemoryMb.optional(),
  port: GamePort.optional(),
  openTo: OpenToChange.optional(),
  ...JavaConfigChange.shape,
  ...ContainerConfigChange.shape,
  sleep: SleepConfigChange.nullable().optional(),
  properties: PropertyChanges.optional(),
})
