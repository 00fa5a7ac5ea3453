import type { ServerJar } from './server-jar.ts'

/** Software of which it is known what it loads, or that it loads nothing. */
const KNOWN: ReadonlySet<string> = new Set(
  'vanilla paper folia purpur spigot velocity waterfall bungeecord fabric quilt forge neoforge'.split(' '),
)

/**
 * As what a jar of one's own loads plugins or mods: the software that it is, or that it was made from. Null where that is not
 * known.
 */
export const loadsAs = ({ kind, base }: Pick<ServerJar, 'kind' | 'base'>): string | null =>
  [kind, base].find((one) => one !== null && KNOWN.has(one)) ?? null
