import { z } from 'zod'
import { openEnum, maybe } from '../../declarations/operation.ts'

/** What runs a server's program: a process of the service, or a container of a Docker Engine. */
export const DRIVERS = ['process', 'docker'] as const
export type DriverName = (typeof DRIVERS)[number]

/** Extensions. */
export const ContainerConfig = z.object({
  /** Absent where the service offers no choice. */
  driver: openEnum(DRIVERS).nullish(),
  /** Cores it may use; absent: all. In a container only. */
  cpus: maybe.number,
  /** Name of the computer it has to run on; absent: any. */
  node: maybe.text,
  /** Names to choose from, for its owner; absent where there is one computer. */
  nodes: z.array(z.string()).nullish(),
  /** Name of the container that runs it, which others made and which decides all but its name and properties. */
  container: maybe.text,
})

export const ContainerConfigChange = z.object({
  /** Only its owner may change it. Takes effect at the next start. */
  driver: z.enum(DRIVERS).optional(),
  /** Null: all. */
  cpus: z.number().min(0.1).max(256).nullable().optional(),
  /** Only its owner may change it. Null: any. Takes effect at the next start. */
  node: z.string().min(1).max(255).nullable().optional(),
})
