import type { ServerJar } from './server-jar.ts'

const KNOWN: ReadonlySet<string> = new Set(
  'vanilla paper folia purpur spigot velocity waterfall bungeecord fabric quilt forge neoforge'.split(' '),
)

/** The software whose extensions a custom jar loads; null if unknown. */
export const loadsAs = ({ kind, base }: Pick<ServerJar, 'kind' | 'base'>): string | null =>
  [kind, base].find((one) => one !== null && KNOWN.has(one)) ?? null
