import { z } from 'zod'
import { UNREAD_JARS } from '../../contract/rules/extensions.ts'

export const FORMATS = [
  'paper',
  'bukkit',
  'bungee',
  'velocity',
  'fabric',
  'quilt',
  'forge',
  'neoforge',
] as const
export type Format = (typeof FORMATS)[number]

export const DESCRIBED: Readonly<Record<Format, string>> = {
  paper: 'paper-plugin.yml',
  bukkit: 'plugin.yml',
  bungee: 'bungee.yml',
  velocity: 'velocity-plugin.json',
  fabric: 'fabric.mod.json',
  quilt: 'quilt.mod.json',
  forge: 'META-INF/mods.toml',
  neoforge: 'META-INF/neoforge.mods.toml',
}

export const SYNTAX = 'syntax'

export const JarDependency = z.object({
  id: z.string(),
  /** Version range in its format's syntax; null: any. */
  range: z.string().nullable(),
  kind: z.enum(['required', 'clash']),
})
export type JarDependency = z.output<typeof JarDependency>

/** What a jar declares in one of its formats. */
export const Facts = z.object({
  format: z.enum(FORMATS),
  id: z.string(),
  name: z.string(),
  version: z.string().nullable(),
  description: z.string().nullable(),
  authors: z.array(z.string()),
  needs: z.array(JarDependency),
  provides: z.array(z.string()),
  side: z.enum(['client', 'server']).nullable(),
  apiVersion: z.string().nullable(),
  folia: z.boolean(),
  /** Oldest major Java version that runs it; null: unknown. Absent: not examined. */
  java: z.number().int().nullish(),
  /** The field that makes its software reject it, or `SYNTAX`. Undefined if read by an earlier version. */
  fault: z.string().nullish(),
})
export type Facts = z.output<typeof Facts>

export const JarFacts = z.array(Facts).nullable()
export type JarFacts = z.output<typeof JarFacts>

export const UnreadReason = z.enum(UNREAD_JARS)
export type UnreadReason = z.output<typeof UnreadReason>

export const JarReading = z.object({
  facts: JarFacts,
  why: UnreadReason.nullish(),
  /** The unreadable description file, if no other describes the jar. */
  broken: z.string().nullish(),
  /** Why the software rejects that description, if certain. */
  fault: z.string().nullish(),
})
export type JarReading = z.output<typeof JarReading>

export const Hashes = z.object({ sha1: z.string(), sha256: z.string(), sha512: z.string() })

/** Limit per jar: all facts are kept in memory. */
const FACTS_CHARS = 32 * 1024

export const boundedFacts = (facts: JarFacts): JarFacts =>
  facts && JSON.stringify(facts).length > FACTS_CHARS
    ? facts.map((one) => ({ ...one, needs: [], provides: [] }))
    : facts
