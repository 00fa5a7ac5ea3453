import type { Connection } from '../../../contract/bridge/values.ts'

/** Parts of the page of an account; also their addresses. */
const ofServices = ['profile', 'security', 'devices', 'plan', 'data', 'advanced'] as const
const OF_THIS_COMPUTER = ['backups'] as const

export type AccountSection = (typeof ofServices)[number] | (typeof OF_THIS_COMPUTER)[number]

/** Those that the page leads to, in their order. */
export const sectionsOf = ({ kind }: Connection): readonly AccountSection[] =>
  kind === 'local' ? OF_THIS_COMPUTER : ofServices

/** The one that an address names; the first if there is no such part. */
export function sectionAt(connection: Connection, name: string | undefined): AccountSection {
  const [first] = sectionsOf(connection)
  const all: readonly AccountSection[] =
    connection.kind === 'local' ? OF_THIS_COMPUTER : [...ofServices, ...OF_THIS_COMPUTER]
  return all.find((one) => one === name) ?? first ?? 'profile'
}
