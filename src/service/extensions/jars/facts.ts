import { z } from 'zod'
import { UNREAD_JARS } from '../../../contract/rules/unread-jars.ts'

/** Kinds of programs inside a jar, by the file that describes them. */
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

/** The description file of each format. */
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

/** The `fault` of a description with a syntax error. */
export const SYNTAX = 'syntax'

/** Something else that an extension wants there, or not there. */
export const Need = z.object({
  id: z.string(),
  /** Versions of it, as its format writes them; null: any. */
  range: z.string().nullable(),
  kind: z.enum(['required', 'clash']),
})
export type Need = z.output<typeof Need>

/** What a jar says of itself in one of its formats. */
export const Facts = z.object({
  format: z.enum(FORMATS),
  /** As others name it in their dependencies. */
  id: z.string(),
  name: z.string(),
  version: z.string().nullable(),
  description: z.string().nullable(),
  authors: z.array(z.string()),
  needs: z.array(Need),
  /** Other names it answers to: what it provides, and what lies inside it. */
  provides: z.array(z.string()),
  /** Where alone it runs; null: anywhere. */
  side: z.enum(['client', 'server']).nullable(),
  /** The oldest version of the game that it is for; of Bukkit's plugins. */
  apiVersion: z.string().nullable(),
  folia: z.boolean(),
  /** The oldest major version of Java that loads its classes; null: nobody knows. Not there where nobody has looked. */
  java: z.number().int().nullish(),
  /** The field that makes its software reject it, or `SYNTAX`. Undefined if read by an earlier version. */
  fault: z.string().nullish(),
})
export type Facts = z.output<typeof Facts>

/** What a jar says of itself: one for each format that it has. Null: it cannot be read. */
export const JarFacts = z.array(Facts).nullable()
export type JarFacts = z.output<typeof JarFacts>

/** Why nothing is known of a jar. */
export const WhyUnread = z.enum(UNREAD_JARS)
export type WhyUnread = z.output<typeof WhyUnread>

/** What came of looking into a jar. */
export const JarReading = z.object({
  facts: JarFacts,
  why: WhyUnread.nullish(),
  /** The description in it that nobody can make sense of, where no other says what it is. */
  broken: z.string().nullish(),
  /** Why the software rejects that description, if certain. */
  fault: z.string().nullish(),
})
export type JarReading = z.output<typeof JarReading>

/** Lower-case hex. */
export const Hashes = z.object({ sha1: z.string(), sha256: z.string(), sha512: z.string() })
