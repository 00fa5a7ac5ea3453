import { z } from 'zod'
import { maybe } from '../../declarations/fields.ts'
import { openEnum } from '../../declarations/operation.ts'

/** What runs a server's program: a process of the service, or a container of a Docker Engine. */
export const DRIVERS = ['process', 'docker'] as const
export type DriverName = (typeof DRIVERS)[number]

/** Extensions. */
export const ContainerConfig = z.object({
  /** Absent where the service offers no choice. */
  driver: openEnum(DRIVERS).nullish(),
  /** Cores it may use; absent: all. In a container only. */
  cpus: maybe.number,
})

export const ContainerConfigChange = z.object({
  /** Only its owner may change it. Takes effect at the next start. */
  driver: z.enum(DRIVERS).optional(),
  /** Null: all. */
  cpus: z.number().min(0.1).max(256).nullable().optional(),
})
