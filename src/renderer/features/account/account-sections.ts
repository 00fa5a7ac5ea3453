import type { Connection } from '../../../contract/bridge/values.ts'

/** Parts of the page of an account; also their addresses. */
const ofServices = ['profile', 'security', 'devices', 'plan', 'data', 'advanced'] as const
/** Everything else is in the host's own panel. */
const OF_HOSTS = ['profile'] as const
const OF_THIS_COMPUTER = ['backups'] as const
/** Of a service that has several. */
const COMPUTERS = ['computers'] as const

export type AccountSection =
  (typeof ofServices)[number] | (typeof OF_THIS_COMPUTER)[number] | (typeof COMPUTERS)[number]

/** Those that the page leads to, in their order. */
export function sectionsOf({ kind }: Connection, hasComputers = false): readonly AccountSection[] {
  const own = { local: OF_THIS_COMPUTER, service: ofServices, host: OF_HOSTS }[kind]
  return hasComputers ? [...own, ...COMPUTERS] : own
}

/** The one that an address names; the first if there is no such part. */
export function sectionAt(connection: Connection, name: string | undefined): AccountSection {
  const [first] = sectionsOf(connection)
  const all: readonly AccountSection[] =
    connection.kind === 'service' ? [...ofServices, ...OF_THIS_COMPUTER] : sectionsOf(connection)
  return [...all, ...COMPUTERS].find((one) => one === name) ?? first ?? 'profile'
}
